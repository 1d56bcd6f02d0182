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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads users' chains; they are written only inside {@link Accounts}. */
public interface EventLog {

    /** One page of rows in the order asked for, with the entries of {@link Erasures} about its rows. */
    EventPage page(UserId user, EventQuery query);

    /** The same as it is sent, and where the chain ends, which is never before the last row of the page. */
    default HeadedPage headedPage(UserId user, EventQuery query) {
        EventPage page = page(user, query);
        return new HeadedPage(SignedPage.of(page), head(user));
    }

    /**
     * The same without reading it, where that is sooner: if it was read before and its rows are known to be the very ones
     * that are stored now. Empty when it has to be read; for who is done with it, see {@link AgentKeys#find}.
     */
    default CompletionStage<Optional<HeadedPage>> knownPage(UserId user, EventQuery query) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /** Where the chain ends now. */
    ChainHead head(UserId user);

    /** Identifies what the pages of the chain show now, without reading their rows. As it stands, for logs without erasures. */
    default ChainVersion version(UserId user) {
        return new ChainVersion(head(user), 0);
    }

    /** The decisions of the chain, newest first. One whose payload was erased counts towards the limit and is left out. */
    List<LoggedDecision> decisions(UserId user, AuditQuery query);

    /** The same, whatever their key and verdict; for who is done with it, see {@link AgentKeys#find}. */
    default CompletionStage<List<LoggedDecision>> latest(UserId user, int limit) {
        return CompletableFuture.completedFuture(decisions(user, AuditQuery.latest(limit)));
    }

    /**
     * A page, and the end of the chain it is of.
     *
     * @param page the rows
     * @param head where the chain ends
     */
    record HeadedPage(SignedPage page, ChainHead head) {}
}
