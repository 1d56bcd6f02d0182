package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import java.util.concurrent.CompletionStage;

/** Takes in what a custodian says it holds. */
public final class ObservePortfolio {
    public static final int MAX_CUSTODIANS = 20;

    private final Accounts accounts;

    public ObservePortfolio(Accounts accounts) {
        this.accounts = accounts;
    }

    /** Replaces what is known of one custodian; answers the portfolio after it. */
    public CompletionStage<Answer<Portfolio>> observe(UserId user, CustodianHoldings holdings) {
        return accounts.change(user, account -> observed(account, holdings));
    }

    private static Outcome<Answer<Portfolio>> observed(Account account, CustodianHoldings holdings) {
        Portfolio before = account.portfolio();
        boolean isNew = before == null || before.custodian(holdings.id()).isEmpty();
        if (before != null && isNew && before.custodians().size() >= MAX_CUSTODIANS) {
            String message = "There are " + MAX_CUSTODIANS + " custodians already; replace one of them.";
            return Outcome.nothing(Answer.refused(Refusal.of(Refusal.Code.TOO_MANY, message)));
        }
        Portfolio after =
                before == null ? Portfolio.first(holdings, account.now()) : before.with(holdings, account.now());
        return new Outcome.Recording()
                .portfolio(after)
                .events(DriftWatch.between(account.ips(), before, account.ips(), after))
                .answer(receipts -> Answer.given(after));
    }
}
