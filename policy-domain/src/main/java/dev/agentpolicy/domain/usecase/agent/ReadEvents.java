package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.SignedPage;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventLog.PageWithHead;
import dev.agentpolicy.domain.port.EventSigner;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Reads pages of the signed chain, each with the signed head of the chain (specification, Events). */
public final class ReadEvents {
    private final EventLog events;
    private final EventSigner signer;
    private final InstantSource clock;
    private final SignedHeadCache heads = new SignedHeadCache();

    public ReadEvents(EventLog events, EventSigner signer, InstantSource clock) {
        this.events = events;
        this.signer = signer;
        this.clock = clock;
    }

    /**
     * A page and the signed head of the chain.
     *
     * @param page the rows
     * @param head the end of the chain, signed less than a second ago; never before the last row of the page
     */
    public record PageWithSignedHead(SignedPage page, SignedHead head) {}

    /** Reads a page. Blocks on a query. */
    public PageWithSignedHead read(UserId account, EventQuery query) {
        return signed(events.headedPage(account, query));
    }

    /**
     * Begins to read a page, without blocking. The supplier returns the page; it blocks on a query if the page is not
     * cached.
     */
    public CompletionStage<Supplier<PageWithSignedHead>> begin(UserId account, EventQuery query) {
        return events.cachedPage(account, query)
                .thenApply(cached -> () -> signed(cached.orElseGet(() -> events.headedPage(account, query))));
    }

    private PageWithSignedHead signed(PageWithHead found) {
        return new PageWithSignedHead(found.page(), heads.of(found.head(), clock.instant(), signer.current()));
    }
}
