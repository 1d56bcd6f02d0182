package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.adapter.signing.TinkSignatureCheck;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.ChainVerdict;
import dev.agentpolicy.domain.event.chain.ChainVerifier;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeys;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreContract;
import dev.agentpolicy.domain.port.StoreSamples;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of the service, as far as they write the chains of one database, on a clock that is set. */
public abstract class HandoverBench {
    public static final Duration NOTICE = Duration.ofMinutes(10);

    @TempDir
    public Path folder;

    public final SettableClock clock = new SettableClock(StoreSamples.START);
    private final List<Node> nodes = new ArrayList<>();

    /** A node of the service, as far as it writes chains. */
    public record Node(JdbcStore store, KeyRing ring, Ports ports, SettableClock clock) implements StoreContract {

        @Override
        public SigningKey signingKey() {
            return store.sealedKeys().active(Purpose.EVENT).orElseThrow().key();
        }

        public String signsWith() {
            return ring.signer(Purpose.EVENT).current().keyId();
        }

        /** As somebody has them who was given the root key, if there is one. */
        private SigningKeys keysWithKnownRoot() {
            List<SigningKey> all = store.sealedKeys().all();
            SigningKeys keys = SigningKeys.of(all, Purpose.EVENT);
            return all.stream()
                    .filter(key -> key.purpose() == Purpose.ROOT)
                    .findFirst()
                    .map(root -> keys.trustingRoot(root.kid()))
                    .orElse(keys);
        }

        public ChainVerdict verdict(UserId user, String firstKey) {
            SigningKeys keys = keysWithKnownRoot();
            ChainVerifier verifier = new ChainVerifier(keys, new TinkSignatureCheck());
            EventSigner present = ring.signer(Purpose.EVENT).current();
            SignedHead head =
                    SignedHead.issue(store.eventLog().head(user), clock.instant(), present.keyId(), present::sign);
            return verifier.rows(ChainPoint.pinned(user, firstKey), chain(user))
                    .then(verifier::end)
                    .then(reached -> verifier.head(reached, head, Instant.MIN));
        }
    }

    @AfterEach
    void close() {
        nodes.forEach(node -> node.store.close());
    }

    public void rotate(Node node) {
        node.ring.prepareNext(clock.instant().plus(NOTICE));
        clock.advance(NOTICE.plusSeconds(1));
        node.signsWith();
    }

    public static int sweep(Node node) throws Exception {
        return node.store.leadOverIdleChains(100).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    public static List<KeyStatus> statuses(Node node) {
        return node.store.sealedKeys().all().stream()
                .filter(key -> key.purpose() == Purpose.EVENT)
                .map(SigningKey::status)
                .toList();
    }

    public Node node(String url) {
        return node(url, clock);
    }

    public Node node(String url, SettableClock ownClock) {
        JdbcStore store = JdbcStore.open(TestStores.config(url, ownClock));
        KeyRing ring = KeyRing.open(folder.resolve("master-key.json"), store.sealedKeys(), ownClock);
        Node node = new Node(store, ring, TestStores.ports(store, ring.signer(Purpose.EVENT)), ownClock);
        nodes.add(node);
        return node;
    }

    public String url(String database) {
        return database.equals("H2") ? TestStores.h2(folder) : TestPostgres.freshDatabase();
    }
}
