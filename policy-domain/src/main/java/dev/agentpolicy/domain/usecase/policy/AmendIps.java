package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.passkey.AttestedChange;
import dev.agentpolicy.domain.event.passkey.AttestedChange.SignedChange;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.ChangeProtection.DroppedIps;
import dev.agentpolicy.domain.event.passkey.PasskeyAssertion;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts;
import dev.agentpolicy.domain.ips.CanonicalIps;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.DriftDetector;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.ConfirmingOwner;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts an IPS in force. Every change makes a new version; an identical IPS does not. */
public final class AmendIps {
    /** Maximum size of an IPS: a decision repeats the reasons of standing rules and must fit into one row. */
    private static final int MAX_BYTES = CanonicalForm.MAX_BYTES / 2;

    /** Maximum size of a signature over a change: it must fit into one row with the IPS and all its approvals. */
    private static final int MAX_SIGNATURE = 4_096;

    private static final String NO_KEY = "must be that of a working key";
    private static final String TOO_LONG = "must be at most " + Approval.MAX_LENGTH.toDays() + " days ahead";

    /** How often a change is tried when the account goes on changing while two statements are compared. */
    private static final int MAX_ATTEMPTS = 4;

    private static final Refusal CHANGED_MEANWHILE =
            Refusal.of(Refusal.Code.CHANGED, "The policy changed while the two were compared; read it again.");

    private final Accounts accounts;
    private final OwnerLimits limits;
    private final Executor comparing;

    /** @param comparing compares two statements, which can take a tenth of a second, outside of any change */
    public AmendIps(Accounts accounts, OwnerLimits limits, Executor comparing) {
        this.accounts = accounts;
        this.limits = limits;
        this.comparing = comparing;
    }

    /**
     * The result of an amendment.
     *
     * @param version the version in force
     * @param isNew whether this call made the version
     * @param approvals what is used of its approvals
     * @param scheduled the statement that waits, if that is what became of the call; else null
     * @param endedScheduled whether the call ended a statement that waited
     */
    public record Amended(
            IpsVersion version,
            boolean isNew,
            ApprovalCounts approvals,
            @Nullable ScheduledIps scheduled,
            boolean endedScheduled) {

        /** A statement that is in force at once, while none waited. */
        public Amended(IpsVersion version, boolean isNew, ApprovalCounts approvals) {
            this(version, isNew, approvals, null, false);
        }

        private Amended ending(boolean isEnded) {
            return new Amended(version, isNew, approvals, scheduled, isEnded);
        }
    }

    /**
     * A statement to put in force.
     *
     * @param ips the statement; whether it pauses agents is ignored
     * @param keepsApprovals whether the approvals in force are kept in place of those of the statement
     * @param ifVersion the version that must be in force; null for any
     */
    public record Amendment(
            Ips ips, boolean keepsApprovals, @Nullable Integer ifVersion) {

        /** A statement with its own approvals, whatever is in force. */
        public static Amendment of(Ips ips) {
            return new Amendment(ips, false, null);
        }
    }

    /** Puts an IPS with its own approvals in force for a user who confirms nothing. */
    public CompletionStage<Answer<Amended>> put(UserId user, Ips ips) {
        return put(user, Amendment.of(ips));
    }

    /** Puts an IPS in force for a user who confirms nothing. */
    public CompletionStage<Answer<Amended>> put(UserId user, Amendment amendment) {
        return put(ConfirmingOwner.unconfirmed(user), amendment);
    }

    /**
     * Puts an IPS in force for a user. Where changes are confirmed, one that allows more than the one in force must be, and with a delay it waits. Whatever waited is
     * ended. Agents stay paused if they are, and the drawdown is still counted since the same time.
     * Approvals that have ended, and those in force whose rule is gone or asks otherwise, are left out. Refused when the statement is invalid for the user's
     * portfolio, and when another version than the expected one is in force. A new version is refused beyond the
     * {@linkplain OwnerLimits limit} of the day.
     */
    public CompletionStage<Answer<Amended>> put(ConfirmingOwner owner, Amendment amendment) {
        if (bytes(amendment.ips()) > MAX_BYTES) {
            Problem tooLong = new Problem("standingRules", "The statement is too long; use fewer rules or assets.");
            return CompletableFuture.completedFuture(Answer.refused(Refusal.invalid(List.of(tooLong))));
        }
        return put(owner, amendment, null, 1);
    }

    private CompletionStage<Answer<Amended>> put(
            ConfirmingOwner owner, Amendment amendment, @Nullable ComparedChange compared, int attempt) {
        return accounts.change(owner.user(), account -> attempt(account, owner, amendment, compared, attempt))
                .thenCompose(result -> result.uncompared() == null
                        ? CompletableFuture.completedFuture(result.answer())
                        : CompletableFuture.supplyAsync(result.uncompared()::compared, comparing)
                                .thenCompose(known -> put(owner, amendment, known, attempt + 1)));
    }

    /**
     * What came of an attempt to put a statement in force.
     *
     * @param answer unless it is repeated
     * @param uncompared the change that must be compared before the attempt is repeated; null when the answer is final
     */
    private record PutAttempt(
            Answer<Amended> answer, @Nullable ComparedChange uncompared) {
        static Outcome<PutAttempt> done(Outcome<Answer<Amended>> outcome) {
            return outcome.map(answer -> new PutAttempt(answer, null));
        }

        static Outcome<PutAttempt> refused(Refusal refusal) {
            return done(AmendIps.refused(refusal));
        }
    }

    private Outcome<PutAttempt> attempt(
            Account account,
            ConfirmingOwner owner,
            Amendment amendment,
            @Nullable ComparedChange compared,
            int attempt) {
        Integer expected = amendment.ifVersion();
        if (expected != null && expected != version(account)) {
            String message = account.ips() == null
                    ? "There is no policy yet."
                    : "Version " + version(account) + " of the policy is in force by now.";
            return PutAttempt.refused(Refusal.of(Refusal.Code.CHANGED, message));
        }
        IpsVersion before = account.ips();
        return CanonicalIps.of(
                        amendment.ips(),
                        KnownAssets.resolver(account.portfolio(), null, List.of()),
                        before == null ? null : before.ips())
                .then(spelled -> approvable(spelled, account))
                .fold(
                        spelled -> {
                            SignedChange signed = owner.signed();
                            Refusal other = signed == null ? null : other(account, spelled, signed);
                            if (other != null) {
                                return PutAttempt.refused(other);
                            }
                            Ips next = complete(account, spelled, amendment.keepsApprovals());
                            ComparedChange change = ComparedChange.of(account, next);
                            if (change != null && !change.isSame(compared)) {
                                return Outcome.nothing(new PutAttempt(
                                        Answer.refused(CHANGED_MEANWHILE), attempt == MAX_ATTEMPTS ? null : change));
                            }
                            boolean permitsMore = compared != null && change != null && compared.permitsMore();
                            return PutAttempt.done(owner.change(
                                    account,
                                    permitsMore,
                                    confirmed -> permitsMore && isDelayed(confirmed)
                                            ? schedule(confirmed, spelled, amendment.keepsApprovals(), signed)
                                            : put(confirmed, next, signed)));
                        },
                        problems -> PutAttempt.refused(Refusal.invalid(problems)));
    }

    /** Why a statement is not the one that a passkey signed, to follow the version in force; null if it is. */
    private static @Nullable Refusal other(Account account, Ips statement, SignedChange signed) {
        if (!AttestedChange.documentHash(statement).equals(signed.attested().documentHash())) {
            return PasskeyProofs.invalid("The passkey signed another change.");
        }
        if (CanonicalForm.write(PasskeyAssertion.SCHEMA.write(signed.assertion()))
                        .length()
                > MAX_SIGNATURE) {
            return PasskeyProofs.invalid("The signature of the passkey is too long to be recorded with a policy.");
        }
        Integer previous = signed.attested().previousIpsVersion();
        return version(account) == (previous == null ? 0 : previous)
                ? null
                : Refusal.of(Refusal.Code.CHANGED, "The policy changed since this was signed; read it again.");
    }

    /** Pauses all agents of a user who confirms nothing or lets them go on. */
    public CompletionStage<Answer<Amended>> pause(UserId user, boolean pauses) {
        return pause(ConfirmingOwner.unconfirmed(user), pauses);
    }

    /** Pauses all agents or lets them go on, which is a new version of the IPS in force. */
    public CompletionStage<Answer<Amended>> pause(ConfirmingOwner owner, boolean pauses) {
        return accounts.change(owner.user(), account -> {
            IpsVersion before = account.ips();
            return before == null
                    ? noIps()
                    : owner.change(
                            account,
                            !pauses,
                            confirmed -> amend(account, before.ips().withPaused(pauses)));
        });
    }

    /** Adds an approval for a user who confirms nothing. */
    public CompletionStage<Answer<Amended>> approve(UserId user, Approval approval) {
        return approve(ConfirmingOwner.unconfirmed(user), approval);
    }

    /** Adds an approval to the IPS in force, as a new version. */
    public CompletionStage<Answer<Amended>> approve(ConfirmingOwner owner, Approval approval) {
        return accounts.change(owner.user(), account -> {
            IpsVersion before = account.ips();
            return before == null
                    ? noIps()
                    : owner.change(account, true, confirmed -> approve(account, before.ips(), approval));
        });
    }

    private static Outcome<Answer<Amended>> approve(Account account, Ips before, Approval approval) {
        AssetSymbol symbol = approval.symbol();
        List<Problem> problems = new ArrayList<>();
        if (!approval.hasRule(before)) {
            problems.add(
                    new Problem("ruleId", "ruleId must be that of a standing rule or limit that requires approval."));
        }
        if (!isForWorkingKey(approval, account)) {
            problems.add(new Problem("agentKeyId", "agentKeyId " + NO_KEY + "."));
        }
        if (!approval.isInForce(account.now())) {
            problems.add(new Problem("until", "until must not have passed."));
        }
        if (isTooLong(approval, account.now())) {
            problems.add(new Problem("until", "until " + TOO_LONG + "."));
        }
        AssetResolver resolver = KnownAssets.resolver(account.portfolio(), account.ips(), List.of());
        Approval spelled = symbol == null ? approval : approval.of(resolver.canonical(symbol));
        if (symbol != null) {
            Map<AssetSymbol, AssetSymbol> named = Map.of(symbol, resolver.canonical(symbol));
            problems.addAll(resolver.unnameable("symbol", named, before::mentions));
        }
        if (!problems.isEmpty()) {
            return refused(Refusal.invalid(problems));
        }
        List<Approval> approvals = new ArrayList<>(valid(before.approvals(), before, account.now()));
        if (approvals.contains(spelled)) {
            return amend(account, before);
        }
        approvals.add(spelled);
        if (approvals.size() > Approval.MAX) {
            return refused(Refusal.of(
                    Refusal.Code.TOO_MANY, "There are " + Approval.MAX + " approvals already; end one first."));
        }
        return amend(account, before.withApprovals(approvals));
    }

    /** The statement, unless approvals in it may not be made. Those in force may stay when their key does not work any more. */
    private static Reading<Ips> approvable(Ips ips, Account account) {
        IpsVersion before = account.ips();
        List<Approval> inForce = before == null ? List.of() : before.ips().approvals();
        ApprovalCounts counts = account.flows().approvals();
        List<Problem> problems = new ArrayList<>();
        for (int i = 0; i < ips.approvals().size(); i++) {
            Approval approval = ips.approvals().get(i);
            String path = "approvals[" + i + "].";
            if (isTooLong(approval, account.now())) {
                problems.add(new Problem(path + "until", path + "until " + TOO_LONG + "."));
            }
            boolean isNew = approval.isInForce(account.now())
                    && approval.hasRule(ips)
                    && !inForce.contains(approval)
                    && !counts.hasEnded(approval);
            if (isNew && !isForWorkingKey(approval, account)) {
                problems.add(new Problem(path + "agentKeyId", path + "agentKeyId " + NO_KEY + "."));
            }
        }
        return problems.isEmpty() ? Reading.of(ips) : Reading.wrong(problems);
    }

    private static boolean isForWorkingKey(Approval approval, Account account) {
        UUID key = approval.agentKeyId();
        return key == null
                || account.key(new AgentKeyId(key))
                        .filter(it -> it.isActive(account.now()))
                        .isPresent();
    }

    private static boolean isTooLong(Approval approval, Instant now) {
        return approval.until().isAfter(now.plus(Approval.MAX_LENGTH));
    }

    /** The statement with what it does not say itself. */
    private static Ips complete(Account account, Ips sent, boolean keepsApprovals) {
        IpsVersion before = account.ips();
        Ips inForce =
                before == null ? sent.withApprovals(List.of()).withPaused(false).withDrawdownSince(null) : before.ips();
        List<Approval> approvals = keepsApprovals ? inForce.approvals() : sent.approvals();
        return sent.withPaused(inForce.isPaused())
                .withDrawdownSince(inForce.drawdownSince())
                .withApprovals(valid(
                        sent.withApprovals(approvals)
                                .approvalsAfter(inForce, account.flows().approvals()),
                        sent,
                        account.now()));
    }

    private static List<Approval> valid(List<Approval> approvals, Ips ips, Instant now) {
        return approvals.stream()
                .filter(approval -> approval.isInForce(now) && approval.hasRule(ips))
                .distinct()
                .toList();
    }

    /** Puts a statement in force that the user wrote, within the limit of the day. */
    private Outcome<Answer<Amended>> put(Account account, Ips ips, @Nullable SignedChange signed) {
        IpsVersion before = account.ips();
        ChangeProtection protection = account.passkeys().protection();
        boolean isEnding = protection.scheduled() != null;
        Outcome.Recording recording = new Outcome.Recording();
        if (!protection.equals(protection.unscheduled())) {
            recording.passkeys(account.passkeys().protectedBy(protection.unscheduled()));
        }
        if (before != null && isSame(before.ips(), ips, account.now())) {
            Amended same = new Amended(before, false, account.flows().approvals()).ending(isEnding);
            return recording.answer(receipts -> Answer.given(same));
        }
        long bytes = bytes(ips);
        return limits.refuseIps(account, bytes)
                .map(AmendIps::refused)
                .orElseGet(() -> next(
                                account,
                                ips,
                                recording.written(account.writtenToday().plusIpsVersion(bytes)),
                                null,
                                signed)
                        .map(answer -> answer.map(amended -> amended.ending(isEnding))));
    }

    private static boolean isDelayed(Account account) {
        return !account.passkeys().protection().delay(account.now()).isZero();
    }

    /** Has a statement wait that allows more than the one in force, in place of any that waits. */
    private Outcome<Answer<Amended>> schedule(
            Account account, Ips sent, boolean keepsApprovals, @Nullable SignedChange signed) {
        IpsVersion before = account.ips();
        if (before == null) {
            throw new IllegalStateException("A first policy does not wait.");
        }
        ChangeProtection protection = account.passkeys().protection();
        ScheduledIps scheduled = new ScheduledIps(
                sent.withPaused(false).withDrawdownSince(null),
                keepsApprovals,
                before.ips().approvals(),
                account.now(),
                account.now().plus(protection.delay(account.now())),
                signed);
        long bytes = bytes(sent);
        Amended answer =
                new Amended(before, false, account.flows().approvals(), scheduled, protection.scheduled() != null);
        return limits.refuseIps(account, bytes)
                .map(AmendIps::refused)
                .orElseGet(() -> new Outcome.Recording()
                        .written(account.writtenToday().plusIpsVersion(bytes))
                        .passkeys(account.passkeys().protectedBy(protection.scheduling(scheduled)))
                        .answer(receipts -> Answer.given(answer)));
    }

    /** Ends the statement that waits. */
    public CompletionStage<Answer<Boolean>> cancelScheduled(UserId user) {
        return accounts.change(user, account -> {
            ChangeProtection protection = account.passkeys().protection();
            return protection.scheduled() == null
                    ? Outcome.nothing(
                            Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "No policy waits to come into force.")))
                    : new Outcome.Recording()
                            .passkeys(account.passkeys().protectedBy(protection.unscheduled()))
                            .answer(receipts -> Answer.given(true));
        });
    }

    /**
     * Puts the statement in force that waits and is due. It takes the pause, the beginning of the drawdown and the later
     * approvals of the one in force. One that is invalid by now is dropped.
     */
    public static Outcome<Boolean> comeIntoForce(Account account) {
        IpsVersion before = account.ips();
        ChangeProtection protection = account.passkeys().protection();
        ScheduledIps scheduled = protection.scheduled();
        if (before == null || scheduled == null) {
            throw new IllegalStateException("No policy waits.");
        }
        Outcome.Recording recording =
                new Outcome.Recording().passkeys(account.passkeys().protectedBy(protection.unscheduled()));
        return CanonicalIps.of(
                        scheduled.withApprovalsOf(before.ips()),
                        KnownAssets.resolver(account.portfolio(), null, List.of()),
                        before.ips())
                .then(spelled -> approvable(spelled, account))
                .then(spelled -> stillSigned(spelled, scheduled.signed()))
                .then(spelled -> Reading.of(complete(account, spelled, false)))
                .fold(
                        ips -> isSame(before.ips(), ips, account.now())
                                ? recording.answer(receipts -> false)
                                : next(account, ips, recording, scheduled.scheduledAt(), scheduled.signed())
                                        .map(answer -> true),
                        problems -> dropped(account, scheduled, problems));
    }

    /** The statement, unless its assets have other names by now than those that a passkey signed. */
    private static Reading<Ips> stillSigned(Ips spelled, @Nullable SignedChange signed) {
        return signed == null || signed.attested().documentHash().equals(AttestedChange.documentHash(spelled))
                ? Reading.of(spelled)
                : Reading.wrong(List.of(
                        new Problem("standingRules", "An asset in it is known by another name since it was signed.")));
    }

    private static Outcome<Boolean> dropped(Account account, ScheduledIps scheduled, List<Problem> problems) {
        String reason = problems.stream().map(Problem::message).collect(Collectors.joining(" "));
        DroppedIps dropped = new DroppedIps(scheduled.scheduledAt(), account.now(), reason);
        return new Outcome.Recording()
                .passkeys(account.passkeys()
                        .protectedBy(account.passkeys().protection().dropping(dropped)))
                .answer(receipts -> false);
    }

    /** Puts a statement in force that follows from the one before. */
    private static Outcome<Answer<Amended>> amend(Account account, Ips ips) {
        IpsVersion before = account.ips();
        return before != null && isSame(before.ips(), ips, account.now())
                ? unchanged(account, before)
                : next(account, ips, new Outcome.Recording(), null, null);
    }

    private static Outcome<Answer<Amended>> unchanged(Account account, IpsVersion inForce) {
        return Outcome.nothing(
                Answer.given(new Amended(inForce, false, account.flows().approvals())));
    }

    /**
     * Puts the next version in force.
     *
     * @param scheduledAt when the user put a statement that waited; null for one that did not
     * @param signed what the user signed with a passkey to put it; null when nothing was signed
     */
    private static Outcome<Answer<Amended>> next(
            Account account,
            Ips ips,
            Outcome.Recording recording,
            @Nullable Instant scheduledAt,
            @Nullable SignedChange signed) {
        IpsVersion before = account.ips();
        IpsVersion next = new IpsVersion(version(account) + 1, ips, account.now());
        FlowCounts flows = before == null ? account.flows() : account.flows().kept(before.ips(), ips, account.now());
        if (!flows.equals(account.flows())) {
            recording.flows(flows);
        }
        return recording
                .ips(next)
                .event(EventPayloads.ips(next, before, scheduledAt, signed))
                .events(DriftDetector.between(before, account.portfolio(), next, account.portfolio()))
                .answer(receipts -> Answer.given(new Amended(next, true, flows.approvals())));
    }

    /** The size of a statement as it is stored. */
    private static int bytes(Ips ips) {
        return CanonicalForm.writeStored(IpsDocument.toSigned(ips)).getBytes(StandardCharsets.UTF_8).length;
    }

    /** Whether two statements decide alike from now on; approvals that have ended make no difference. */
    private static boolean isSame(Ips before, Ips next, Instant now) {
        return before.withApprovals(valid(before.approvals(), before, now))
                .equals(next.withApprovals(valid(next.approvals(), next, now)));
    }

    private static int version(Account account) {
        IpsVersion ips = account.ips();
        return ips == null ? 0 : ips.version();
    }

    private static Outcome<Answer<Amended>> noIps() {
        return refused(Refusal.of(Refusal.Code.NO_IPS, "No policy has been set yet."));
    }

    private static Outcome<Answer<Amended>> refused(Refusal refusal) {
        return Outcome.nothing(Answer.refused(refusal));
    }
}
