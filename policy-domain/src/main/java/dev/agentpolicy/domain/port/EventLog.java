package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.ChainVersion;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.SignedPage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads users' chains of events. Only {@link Accounts} writes them. */
public interface EventLog {

    /** A page of rows, with the entries of {@link Erasures} about them. */
    EventPage page(UserId user, EventQuery query);

    /** The same page as it is sent, and the end of the chain, which is never before the last row of the page. */
    default PageWithHead headedPage(UserId user, EventQuery query) {
        EventPage page = page(user, query);
        return new PageWithHead(SignedPage.of(page), head(user));
    }

    /** The current end of the chain. */
    ChainHead head(UserId user);

    /** Identifies what the pages of the chain show now, without reading their rows. As it stands, for logs without erasures. */
    default ChainVersion version(UserId user) {
        return new ChainVersion(head(user), 0);
    }

    /**
     * The decisions in the chain, newest first. A decision whose payload was erased is left out but counts towards the
     * limit.
     */
    List<LoggedDecision> decisions(UserId user, AuditQuery query);

    /**
     * The latest decisions of all keys, allowed or blocked. Completes on a thread that must not block, as
     * {@link AgentKeys#find} does.
     */
    default CompletionStage<List<LoggedDecision>> latest(UserId user, int limit) {
        return CompletableFuture.completedFuture(decisions(user, AuditQuery.latest(limit)));
    }

    /**
     * A page and the end of its chain.
     *
     * @param page the rows
     * @param head the end of the chain
     */
    record PageWithHead(SignedPage page, ChainHead head) {}
}
