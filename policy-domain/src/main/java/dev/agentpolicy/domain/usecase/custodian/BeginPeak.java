package dev.agentpolicy.domain.usecase.custodian;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.usecase.AccountState;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.OwnerBrowser;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Proof;
import java.util.concurrent.CompletionStage;

/**
 * Begins a new peak at the present total, after which the drawdown is counted from there (docs/reference/rules.md). It
 * loosens the policy, so the user confirms it, and the log has it as a version of the policy.
 */
public record BeginPeak(Accounts accounts, ManagePasskeys passkeys) {

    /** Begins a new peak. The answer is the version of the policy that says so. Blocks on the check of a password. */
    public CompletionStage<Answer<IpsVersion>> begin(OwnerBrowser by, Confirmation confirmation) {
        Proof proof = passkeys.proof(by, confirmation);
        return accounts.change(
                by.user(), account -> proof.in(account).fold(proven -> begun(account, proven), BeginPeak::refused));
    }

    private static Outcome<Answer<IpsVersion>> begun(Account account, OwnerPasskeys proven) {
        IpsVersion before = account.ips();
        Portfolio portfolio = account.portfolio();
        AccountState state = AccountState.of(account);
        if (before == null) {
            return refused(Refusal.of(Code.NO_IPS, "No policy has been set yet."));
        }
        if (portfolio == null || state.snapshot() == null) {
            StaleCustodian stale = state.stale();
            String message = stale == null
                    ? "There are no holdings of any value that a peak could begin at."
                    : stale.message(account.now());
            return refused(Refusal.of(Code.NO_SNAPSHOT, message));
        }
        IpsVersion next =
                new IpsVersion(before.version() + 1, before.ips().withDrawdownSince(account.now()), account.now());
        return new Outcome.Recording()
                .passkeys(proven)
                .ips(next)
                .portfolio(portfolio.withNewPeak(account.now()))
                .event(EventPayloads.ips(next, before))
                .answer(receipts -> Answer.given(next));
    }

    private static Outcome<Answer<IpsVersion>> refused(Refusal refusal) {
        return Outcome.nothing(Answer.refused(refusal));
    }
}
