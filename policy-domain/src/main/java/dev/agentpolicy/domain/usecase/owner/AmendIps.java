package dev.agentpolicy.domain.usecase.owner;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.ips.CanonicalIps;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.SignedIps;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Puts an IPS in force. Every change makes a new version; an identical IPS does not. */
public final class AmendIps {
    /** Maximum size of an IPS: a decision repeats the reasons of standing rules and must fit into one row. */
    private static final int MAX_BYTES = CanonicalForm.MAX_BYTES / 2;

    private final Accounts accounts;

    public AmendIps(Accounts accounts) {
        this.accounts = accounts;
    }

    /**
     * The result of an amendment.
     *
     * @param version the version in force
     * @param isNew whether this call made the version
     */
    public record Amended(IpsVersion version, boolean isNew) {}

    /** Puts an IPS in force for a user; refused when it is invalid for the user's portfolio. */
    public CompletionStage<Answer<Amended>> put(UserId user, Ips ips) {
        String text = CanonicalForm.writeStored(SignedIps.of(ips));
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            Problem tooLong = new Problem("standingRules", "The statement is too long; use fewer rules or assets.");
            return CompletableFuture.completedFuture(Answer.refused(Refusal.invalid(List.of(tooLong))));
        }
        return accounts.change(
                user,
                account -> CanonicalIps.of(ips, KnownAssets.resolver(account.portfolio(), null, List.of()))
                        .fold(
                                spelled -> amend(account, spelled),
                                problems -> Outcome.nothing(Answer.refused(Refusal.invalid(problems)))));
    }

    private static Outcome<Answer<Amended>> amend(Account account, Ips ips) {
        IpsVersion before = account.ips();
        if (before != null && before.ips().equals(ips)) {
            return Outcome.nothing(Answer.given(new Amended(before, false)));
        }
        IpsVersion next = new IpsVersion(before == null ? 1 : before.version() + 1, ips, account.now());
        return new Outcome.Recording()
                .ips(next)
                .event(EventPayloads.ips(next, before))
                .events(DriftDetector.between(before, account.portfolio(), next, account.portfolio()))
                .answer(receipts -> Answer.given(new Amended(next, true)));
    }
}
