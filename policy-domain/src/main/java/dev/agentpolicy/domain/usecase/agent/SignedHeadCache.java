package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.port.EventSigner;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Signs the heads of chains, each at most once a second while nothing is added to the chain. At most {@value #MAX}
 * heads are cached. Thread-safe.
 */
final class SignedHeadCache {
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
        return !now.isBefore(last.issuedAt()) && now.isBefore(last.issuedAt().plus(MAX_AGE));
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
