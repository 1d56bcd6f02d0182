package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.StoreSamples;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;

/** Writes to the chains of some users until it is killed, and prints what was acknowledged. */
final class KilledWriter {
    private static final int CALLERS_PER_USER = 8;

    private KilledWriter() {}

    /** Takes the database, the master key file and the users. */
    public static void main(String[] arguments) {
        JdbcStore store = JdbcStore.open(TestStores.config(arguments[0], InstantSource.system()));
        KeyRing ring = KeyRing.open(Path.of(arguments[1]), store.sealedKeys(), Instant.now());
        Accounts accounts = store.accounts(ring.signer(Purpose.EVENT));
        for (int i = 2; i < arguments.length; i++) {
            UserId user = new UserId(UUID.fromString(arguments[i]));
            for (int j = 0; j < CALLERS_PER_USER; j++) {
                Thread caller = new Thread(() -> callForever(accounts, user));
                caller.start();
            }
        }
    }

    private static void callForever(Accounts accounts, UserId user) {
        AgentKeyId key = new AgentKeyId(user.value());
        while (true) {
            Receipt receipt = accounts.change(
                            user,
                            StoreSamples.change(account -> new Outcome.Recording()
                                    .event(StoreSamples.decided(key, true, account.now()))
                                    .answer(receipts -> receipts.get(0))))
                    .toCompletableFuture()
                    .join();
            print(System.out, user + " " + receipt.seq() + " " + receipt.hash());
        }
    }

    private static void print(PrintStream out, String line) {
        synchronized (out) {
            out.println(line);
            out.flush();
        }
    }
}
