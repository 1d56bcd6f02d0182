package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.SignedPage;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventLog.PageWithHead;
import dev.agentpolicy.domain.port.EventSigner;
import java.time.Instant;
import java.time.InstantSource;

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
     * @param head the end of the chain when the page was read, signed less than a second ago; an ascending page of every
     *     kind that has no next page ends with the row it names
     */
    public record PageWithSignedHead(SignedPage page, SignedHead head) {}

    /**
     * Identifies the pages of a chain.
     *
     * @param digest changes whenever a row is added or a payload erased
     * @param at when it was true
     */
    public record PageVersion(String digest, Instant at) {}

    /**
     * Identifies the pages of a chain without reading their rows. For the tag of a page, read it before the page: if
     * the chain grows in between, the tag is too old, and the client reads the page once more than necessary. Blocks.
     */
    public PageVersion version(UserId account) {
        return new PageVersion(events.version(account).digest(), clock.instant());
    }

    /** Reads a page. Blocks on a query. */
    public PageWithSignedHead read(UserId account, EventQuery query) {
        return signed(events.headedPage(account, query));
    }

    private PageWithSignedHead signed(PageWithHead found) {
        return new PageWithSignedHead(found.page(), heads.of(found.head(), clock.instant(), signer.current()));
    }
}
