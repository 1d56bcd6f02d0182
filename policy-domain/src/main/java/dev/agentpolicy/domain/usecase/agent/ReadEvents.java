package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.SignedPage;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventLog.HeadedPage;
import dev.agentpolicy.domain.port.EventSigner;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Reads the signed chain, with a signed word on where it ends (specification, Events). */
public final class ReadEvents {
    private final EventLog events;
    private final EventSigner signer;
    private final InstantSource clock;
    private final RecentHeads heads = new RecentHeads();

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
    public record Pages(SignedPage page, SignedHead head) {}

    /**
     * Identifies the pages of a chain.
     *
     * @param digest changes whenever a row is added or a payload erased
     * @param at when it was true
     */
    public record PageVersion(String digest, Instant at) {}

    /**
     * Identifies the pages of a chain without reading their rows. For the tag of a page, read it before the page: if the chain
     * grows in between, the tag is too old, and the client reads the page once more than necessary. Blocks.
     */
    public PageVersion version(UserId account) {
        return new PageVersion(events.version(account).digest(), clock.instant());
    }

    public Pages read(UserId account, EventQuery query) {
        return pages(events.headedPage(account, query));
    }

    /** The same, begun without waiting. The rest, which reads the page if it is not known, is for a thread that may wait. */
    public CompletionStage<Supplier<Pages>> begin(UserId account, EventQuery query) {
        return events.knownPage(account, query)
                .thenApply(known -> () -> pages(known.orElseGet(() -> events.headedPage(account, query))));
    }

    private Pages pages(HeadedPage found) {
        return new Pages(found.page(), heads.of(found.head(), clock.instant(), signer.present()));
    }
}
