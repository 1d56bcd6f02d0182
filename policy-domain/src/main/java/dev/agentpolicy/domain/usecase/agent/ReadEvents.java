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

/** Reads the signed chain, with a signed word on where it ends (specification, Events). */
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
     * A page of the chain.
     *
     * @param page the rows
     * @param head where the chain ends, signed less than a second ago; never before the last row of the page
     */
    public record PageWithSignedHead(SignedPage page, SignedHead head) {}

    public PageWithSignedHead read(UserId account, EventQuery query) {
        return pages(events.headedPage(account, query));
    }

    /** The same, begun without waiting. The rest, which reads the page if it is not known, is for a thread that may wait. */
    public CompletionStage<Supplier<PageWithSignedHead>> begin(UserId account, EventQuery query) {
        return events.cachedPage(account, query)
                .thenApply(known -> () -> pages(known.orElseGet(() -> events.headedPage(account, query))));
    }

    private PageWithSignedHead pages(PageWithHead found) {
        return new PageWithSignedHead(found.page(), heads.of(found.head(), clock.instant(), signer.current()));
    }
}
