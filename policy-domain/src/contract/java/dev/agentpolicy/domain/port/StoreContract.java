package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.ChainVerdict;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** What the contracts of all ports share: the store under test and methods to use it. */
public interface StoreContract {

    /** The store under test; others may use it at the same time for other users. */
    Ports ports();

    /** The clock of the store. */
    SettableClock clock();

    /** The public key of the key that signs its chains. */
    SigningKey signingKey();

    /** Waits for the answer of a change, or throws its failure. */
    default <R> R answer(CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failed;
        }
    }

    /** Applies a change that makes one recording, and returns the receipts. */
    default List<Receipt> record(UserId user, Function<Account, Outcome.Recording> what) {
        return answer(ports().accounts()
                .change(user, StoreSamples.change(account -> what.apply(account).answer(receipts -> receipts))));
    }

    /** Records one more decision. */
    default Receipt decide(UserId user, AgentKeyId key, boolean allowed) {
        return record(user, account -> new Outcome.Recording().event(StoreSamples.decided(key, allowed, account.now())))
                .get(0);
    }

    /** Mints a key for the user. */
    default AgentKey mint(UserId user) {
        AgentKey key = StoreSamples.key(user);
        record(user, account -> new Outcome.Recording().key(key));
        return key;
    }

    /** The whole chain, oldest first. */
    default List<PolicyEvent> chain(UserId user) {
        return pages(user, EventQuery.all());
    }

    /** All rows of a query, read page by page. */
    default List<PolicyEvent> pages(UserId user, EventQuery query) {
        EventPage page = ports().eventLog().page(user, query);
        List<PolicyEvent> rows = new ArrayList<>(page.rows());
        while (page.nextCursor() != null) {
            page = ports().eventLog().page(user, query.after(page.nextCursor()).orElseThrow());
            rows.addAll(page.rows());
        }
        return rows;
    }

    /** The verdict of a verifier on the chain. */
    default ChainVerdict verify(UserId user) {
        return EventChain.verify(
                ChainPoint.fresh(user),
                chain(user),
                List.of(signingKey()),
                SigningKey.Purpose.EVENT,
                SignatureCheck.ofJdk());
    }
}
