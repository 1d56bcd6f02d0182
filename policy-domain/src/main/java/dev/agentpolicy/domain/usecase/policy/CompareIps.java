package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.compare.PolicyComparison;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Compares two policies of a user (docs/reference/compare.md). Stores nothing. Blocks on a few queries, and computes for up
 * to a second. A user has one comparison at a time, and so has a process, which needs its other processors for decisions;
 * a call waits up to five seconds for its turn.
 */
public final class CompareIps {
    private static final int MAX_WAIT_SECONDS = 5;

    private final AccountReader accounts;
    private final InstantSource clock;
    private final Set<UserId> comparing = ConcurrentHashMap.newKeySet();
    private final Semaphore turn = new Semaphore(1, true);

    public CompareIps(AccountReader accounts, InstantSource clock) {
        this.accounts = accounts;
        this.clock = clock;
    }

    /**
     * One of two policies.
     *
     * @param ipsVersion the number of a version; null for a document
     * @param document read as if it were to be put in force now; null for a version
     */
    public record ComparedIps(
            @Nullable Integer ipsVersion, @Nullable Amendment document) {}

    /**
     * A comparison.
     *
     * @param basedOn the version in force, on which absent members of documents depend; null when there is none
     */
    public record BasedComparison(
            PolicyComparison comparison, @Nullable Integer basedOn) {}

    /**
     * Compares two policies, with changes and findings. Refused while another comparison of the user runs, and when
     * there is no such version, a document is invalid for the user's portfolio, or no policy is in force to compare
     * with.
     *
     * @param from the policy to compare with; null for that in force
     */
    public Answer<BasedComparison> compare(UserId user, @Nullable ComparedIps from, ComparedIps to) {
        if (!comparing.add(user)) {
            return busy("Another comparison of yours is under way; try again.");
        }
        try {
            return inTurn(user, from, to);
        } catch (InterruptedException stopped) {
            return busy("The service stops; try again.");
        } finally {
            comparing.remove(user);
        }
    }

    private Answer<BasedComparison> inTurn(UserId user, @Nullable ComparedIps from, ComparedIps to)
            throws InterruptedException {
        if (!turn.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
            return busy("Many policies are being compared; try again.");
        }
        try {
            return compared(user, from, to);
        } finally {
            turn.release();
        }
    }

    private static Answer<BasedComparison> busy(String message) {
        return Answer.refused(Refusal.throttled(Refusal.Code.RATE_LIMITED, message, 1L, 1));
    }

    private Answer<BasedComparison> compared(UserId user, @Nullable ComparedIps from, ComparedIps to) {
        AccountView account = accounts.view(user);
        Instant now = Instants.truncated(clock.instant());
        IpsVersion inForce = account.ips();
        if (from == null && inForce == null) {
            return Answer.refused(Refusal.of(Refusal.Code.NO_IPS, "No policy has been set yet."));
        }
        Optional<Reading<Ips>> before = from == null && inForce != null
                ? Optional.of(Reading.of(inForce.ips()))
                : read(user, from, account, now);
        Optional<Reading<Ips>> after = read(user, to, account, now);
        if (before.isEmpty() || after.isEmpty()) {
            return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no version with this number."));
        }
        Integer basedOn = inForce == null ? null : inForce.version();
        return before.get()
                .then(was -> after.get().then(is -> Reading.of(whole(was, is, account, now))))
                .fold(
                        comparison -> Answer.given(new BasedComparison(comparison, basedOn)),
                        problems -> Answer.refused(Refusal.invalid(problems)));
    }

    /** What is asked of it later is computed already. */
    private PolicyComparison whole(Ips from, Ips to, AccountView account, Instant now) {
        PolicyComparison comparison = PolicyComparison.inTime(from, to, account.portfolio(), now, clock);
        comparison.changes();
        comparison.findings();
        return comparison;
    }

    /** Empty when there is no such version. */
    private Optional<Reading<Ips>> read(UserId user, @Nullable ComparedIps sent, AccountView account, Instant now) {
        Integer version = sent == null ? null : sent.ipsVersion();
        if (version != null) {
            return accounts.ipsVersion(user, version).map(it -> Reading.of(it.ips()));
        }
        Amendment document = sent == null ? null : sent.document();
        return document == null ? Optional.empty() : Optional.of(completed(document, account, now));
    }

    /** A document with canonical symbols, and with the approvals and the pause that would be stored with it now. */
    private static Reading<Ips> completed(Amendment document, AccountView account, Instant now) {
        Ips inForce = account.ips() == null ? null : account.ips().ips();
        return DraftReplay.canonical(document.ips(), account).then(spelled -> {
            if (inForce == null) {
                return Reading.of(spelled.withPaused(false).withApprovals(valid(spelled.approvals(), spelled, now)));
            }
            Ips approved = document.keepsApprovals() ? spelled.withApprovals(inForce.approvals()) : spelled;
            return Reading.of(approved.withPaused(inForce.isPaused())
                    .withDrawdownSince(inForce.drawdownSince())
                    .withApprovals(valid(
                            approved.approvalsAfter(inForce, account.flows().approvals()), spelled, now)));
        });
    }

    private static List<Approval> valid(List<Approval> approvals, Ips ips, Instant now) {
        return approvals.stream()
                .filter(approval -> approval.isInForce(now) && approval.hasRule(ips))
                .distinct()
                .toList();
    }
}
