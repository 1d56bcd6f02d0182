package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.SignedPage;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventLog.PageWithHead;
import dev.agentpolicy.domain.port.EventSigner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Reads pages of the signed chain, each with the signed head of the chain (specification, Events). */
public final class ReadEvents {
    private final EventLog events;
    private final EventSigner signer;
    private final InstantSource clock;
    private final ToLongFunction<UserId> recorded;
    private final SignedHeadCache heads = new SignedHeadCache();

    /** @param recorded the last row of a chain that is known outside of the database, 0 if none is */
    public ReadEvents(EventLog events, EventSigner signer, InstantSource clock, ToLongFunction<UserId> recorded) {
        this.events = events;
        this.signer = signer;
        this.clock = clock;
        this.recorded = recorded;
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

    /**
     * Reads a page. Blocks on a query.
     *
     * @throws Unavailable when the chain ends before a row that is recorded: a head of that would contradict an earlier one
     */
    public PageWithSignedHead read(UserId account, EventQuery query) {
        long known = recorded.applyAsLong(account);
        PageWithHead found = events.headedPage(account, query);
        if (found.head().seq() < known) {
            throw new Unavailable(
                    "The database has " + found.head().seq() + " rows of a chain of which this node recorded " + known
                            + "; it was probably put back to an older state.");
        }
        return signed(found);
    }

    private PageWithSignedHead signed(PageWithHead found) {
        return new PageWithSignedHead(found.page(), heads.of(found.head(), clock.instant(), signer.current()));
    }

    /**
     * Signs the heads of chains, each at most once a second while nothing is added to the chain. At most {@value #MAX}
     * heads are cached. Thread-safe.
     */
    static final class SignedHeadCache {
        private static final Duration MAX_AGE = Duration.ofSeconds(1);
        private static final int MAX = 1_000;

        private final Map<UserId, SignedHead> issued = new LinkedHashMap<>();

        /** The signed head of a chain, signed less than a second ago. */
        SignedHead of(ChainHead head, Instant now, EventSigner signer) {
            SignedHead last = last(head.userId());
            if (last != null && last.signingKeyId().equals(signer.keyId()) && isOf(last, head) && isRecent(last, now)) {
                return last;
            }
            SignedHead fresh = SignedHead.issue(head, now, signer.keyId(), signer::sign);
            keep(fresh);
            return fresh;
        }

        private static boolean isOf(SignedHead last, ChainHead head) {
            return last.seq() == head.seq() && last.hash().equals(head.hash());
        }

        /** Whether a signed head is less than a second old. A head from the future is not, since the clock was set back. */
        private static boolean isRecent(SignedHead last, Instant now) {
            return !now.isBefore(last.issuedAt())
                    && now.isBefore(last.issuedAt().plus(MAX_AGE));
        }

        private synchronized @Nullable SignedHead last(UserId user) {
            return issued.get(user);
        }

        private synchronized void keep(SignedHead head) {
            issued.remove(head.userId());
            issued.put(head.userId(), head);
            if (issued.size() > MAX) {
                issued.remove(issued.keySet().iterator().next());
            }
        }
    }
}
