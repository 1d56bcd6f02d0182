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

/** Signed words on where chains end. One that was given less than a second ago is given again while nothing was added. */
final class SignedHeadCache {
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final int MAX = 1_000;

    private final Map<UserId, SignedHead> issued = new LinkedHashMap<>();

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

    /** A clock that was put back makes none recent. */
    private static boolean isRecent(SignedHead last, Instant now) {
        return !now.isBefore(last.issuedAt()) && now.isBefore(last.issuedAt().plus(LONGEST));
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
