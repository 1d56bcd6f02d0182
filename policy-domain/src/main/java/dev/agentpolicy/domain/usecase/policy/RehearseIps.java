package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.ips.ShadowIps;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.Rehearsals;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.ReplayIps.Range;
import dev.agentpolicy.domain.usecase.policy.ReplayIps.Replay;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a shadow beside the policy in force and says how decisions since then would have come out under it
 * (docs/reference/shadow.md). Agents never notice it. Methods block; those that replay, for up to some seconds.
 */
public final class RehearseIps {
    private final Rehearsals rehearsals;
    private final ReplayIps replays;
    private final AccountReader accounts;
    private final EventLog events;
    private final InstantSource clock;

    public RehearseIps(
            Rehearsals rehearsals, ReplayIps replays, AccountReader accounts, EventLog events, InstantSource clock) {
        this.rehearsals = rehearsals;
        this.replays = replays;
        this.accounts = accounts;
        this.events = events;
        this.clock = clock;
    }

    /** A shadow and what it would have done since it was set. */
    public record Rehearsed(ShadowIps shadow, Replay replay) {}

    /**
     * Sets the shadow of a user, in place of any other. One that is set already goes on. Refused when the document is invalid
     * for the user's portfolio.
     */
    public Answer<Rehearsed> put(UserId user, Amendment document) {
        AccountView standing = accounts.view(user);
        return AmendIps.storable(document.ips())
                .then(ips -> DraftReplay.canonical(ips, standing))
                .fold(
                        spelled -> {
                            ShadowIps sent = new ShadowIps(
                                    spelled.withPaused(false).withDrawdownSince(null),
                                    document.keepsApprovals(),
                                    Instants.truncated(clock.instant()),
                                    events.head(user).seq() + 1);
                            Optional<ShadowIps> same = rehearsals.shadow(user).filter(sent::isSame);
                            if (same.isEmpty()) {
                                rehearsals.replaceShadow(user, sent);
                            }
                            return Answer.given(rehearsed(user, same.orElse(sent), standing));
                        },
                        problems -> Answer.refused(Refusal.invalid(problems)));
    }

    /** The shadow of a user and what it would have done; refused when none is set. */
    public Answer<Rehearsed> read(UserId user) {
        return shadow(user)
                .map(shadow -> Answer.given(rehearsed(user, shadow, accounts.view(user))))
                .orElseGet(RehearseIps::notFound);
    }

    /** The shadow of a user, if one is set. */
    public Optional<ShadowIps> shadow(UserId user) {
        return rehearsals.shadow(user);
    }

    /** Ends the shadow of a user; refused when none is set. */
    public Answer<ShadowIps> remove(UserId user) {
        return shadow(user)
                .filter(shadow -> rehearsals.removeShadow(user, shadow))
                .map(Answer::given)
                .orElseGet(RehearseIps::notFound);
    }

    /**
     * The shadow that is to be put in force. Refused when none is set, or another one than the user has seen.
     *
     * @param since when the shadow was set that the user has seen; null for any
     */
    public Answer<ShadowIps> toPromote(UserId user, @Nullable Instant since) {
        return shadow(user)
                .map(shadow -> since == null || since.equals(shadow.since())
                        ? Answer.given(shadow)
                        : Answer.<ShadowIps>refused(
                                Refusal.of(Refusal.Code.CHANGED, "Another shadow was set meanwhile; read it again.")))
                .orElseGet(RehearseIps::notFound);
    }

    /** Ends a shadow that was put in force, or waits for it, unless another one was set meanwhile. */
    public void promoted(UserId user, ShadowIps shadow) {
        rehearsals.removeShadow(user, shadow);
    }

    private Rehearsed rehearsed(UserId user, ShadowIps shadow, AccountView standing) {
        Range range = new Range(shadow.fromSeq(), shadow.since(), ReplayIps.MAX_DECISIONS);
        return new Rehearsed(
                shadow,
                replays.replay(
                        user,
                        DraftReplay.approved(shadow.statement(), shadow.keepsApprovals(), standing),
                        standing,
                        range));
    }

    private static <T> Answer<T> notFound() {
        return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "No shadow is set."));
    }
}
