package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.ChangeProtection.DroppedIps;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Accounts whose users are told of new requests, of minted and revoked keys, of added and removed passkeys and of policies
 * that wait, once these are committed.
 */
public record AnnouncedAccounts(Accounts accounts, Notices notices) implements Accounts {

    /** The same accounts, announced where users are told anything. */
    public static Accounts of(Accounts accounts, Notices notices) {
        return notices.isSetUp() ? new AnnouncedAccounts(accounts, notices) : accounts;
    }

    @Override
    public <R> CompletionStage<R> change(UserId user, Change<R> change) {
        Observed<R> observed = new Observed<>(change, new CopyOnWriteArrayList<>());
        return accounts.change(user, observed).thenApply(result -> {
            observed.seen.forEach(notice -> notices.send(user, notice));
            return result;
        });
    }

    /** A change that remembers what is to be told of its last outcome; only the last one is committed. */
    private record Observed<R>(Change<R> change, List<Notice> seen) implements Change<R> {
        @Override
        public LoadSpec needs() {
            return change.needs();
        }

        @Override
        public int maxDecisions() {
            return change.maxDecisions();
        }

        @Override
        public Outcome<R> apply(Account account) {
            Outcome<R> outcome = change.apply(account);
            seen.clear();
            if (!outcome.isEmpty()) {
                seen.addAll(notices(account, outcome));
            }
            return outcome;
        }
    }

    private static List<Notice> notices(Account account, Outcome<?> outcome) {
        List<Notice> notices = new ArrayList<>();
        outcome.requests().stream()
                .flatMap(request -> request.fold(Stream::of, done -> Stream.<Pending>empty(), no -> Stream.empty()))
                .filter(pending -> account.request(pending.id()).isEmpty() && !pending.isAccepted())
                .map(pending -> new Notice.RequestWaits(pending.proposal(), 1))
                .forEach(notices::add);
        for (AgentKey key : outcome.keys()) {
            if (has(outcome, EventKind.KEY_MINTED)) {
                notices.add(new Notice.KeyMinted(key.name(), account.now()));
            } else if (has(outcome, EventKind.KEY_REVOKED)) {
                Instant revokedAt = key.revokedAt();
                notices.add(new Notice.KeyRevoked(key.name(), revokedAt == null ? account.now() : revokedAt));
            }
        }
        OwnerPasskeys before = account.passkeys();
        OwnerPasskeys after = outcome.passkeys() == null ? before : outcome.passkeys();
        after.missingIn(before).forEach(added -> notices.add(new Notice.PasskeyAdded(added.name(), account.now())));
        before.missingIn(after).forEach(gone -> notices.add(new Notice.PasskeyRemoved(gone.name(), account.now())));
        after.viewers().stream()
                .filter(viewer -> !before.viewers().contains(viewer))
                .forEach(added -> notices.add(new Notice.ViewerAdded(added.name(), account.now())));
        notices.addAll(ofSchedule(before.protection(), after.protection(), account.now()));
        return notices;
    }

    private static List<Notice> ofSchedule(ChangeProtection before, ChangeProtection after, Instant now) {
        List<Notice> notices = new ArrayList<>();
        ScheduledIps scheduled = after.scheduled();
        if (scheduled != null && !scheduled.equals(before.scheduled())) {
            notices.add(new Notice.PolicyScheduled(scheduled.effectiveAt(), now));
        }
        DroppedIps dropped = after.dropped();
        if (dropped != null && !dropped.equals(before.dropped())) {
            notices.add(new Notice.PolicyDropped(now));
        }
        return notices;
    }

    private static boolean has(Outcome<?> outcome, EventKind kind) {
        return outcome.events().stream().map(EventDraft::kind).anyMatch(kind::equals);
    }
}
