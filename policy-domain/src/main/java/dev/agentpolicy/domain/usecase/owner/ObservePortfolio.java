package dev.agentpolicy.domain.usecase.owner;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.portfolio.CanonicalHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.request.Execution;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult.Filled;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Records the holdings of custodians, and the trades that users make there themselves. */
public final class ObservePortfolio {
    public static final int MAX_CUSTODIANS = 20;

    private final Accounts accounts;
    private final Custodian custodian;
    private final RandomSource random;

    public ObservePortfolio(Accounts accounts, Custodian custodian, RandomSource random) {
        this.accounts = accounts;
        this.custodian = custodian;
        this.random = random;
    }

    /** Replaces the holdings of a custodian. The answer is the new portfolio. */
    public CompletionStage<Answer<Portfolio>> observe(UserId user, CustodianHoldings holdings) {
        return accounts.change(user, account -> Outcome.nothing(admitted(account, holdings)))
                .thenCompose(answer -> answer.fold(
                        spelled -> custodian
                                .replace(user, spelled)
                                .thenCompose(held -> accounts.change(user, observed(held))),
                        refused -> CompletableFuture.completedFuture(Answer.refused(refused))));
    }

    /** Executes a user's own trade at a custodian, at the user's price. The answer is the fill. */
    public CompletionStage<Answer<Execution>> trade(UserId user, String custodianId, OwnTrade trade) {
        String clientOrderId = "user-" + random.uuid();
        return accounts.change(user, account -> Outcome.nothing(admitted(account, custodianId, trade)))
                .thenCompose(answer -> answer.fold(
                        spelled -> placed(spelled.order(clientOrderId, user, custodianId)),
                        refused -> CompletableFuture.completedFuture(Answer.refused(refused))));
    }

    private CompletionStage<Answer<Execution>> placed(Order order) {
        return custodian
                .place(order)
                .thenCompose(settlement -> settlement.fold(
                        filled -> accounts.change(order.userId(), account -> traded(account, order, filled)),
                        refused -> CompletableFuture.completedFuture(
                                Answer.refused(Refusal.of(Refusal.Code.NOT_EXECUTED, refused.reason())))));
    }

    /** The trade with a canonical symbol; refused when the custodian is unknown or the asset is in another sleeve. */
    private static Answer<OwnTrade> admitted(Account account, String custodianId, OwnTrade trade) {
        Portfolio portfolio = account.portfolio();
        if (portfolio == null || portfolio.custodian(custodianId).isEmpty()) {
            return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no custodian " + custodianId + "."));
        }
        OwnTrade spelled = trade.of(KnownAssets.resolver(account.portfolio(), account.ips(), List.of())
                .canonical(trade.symbol()));
        AssetType held = portfolio.heldIn(spelled.symbol());
        AssetType known = held == null ? portfolio.listedIn(spelled.symbol()) : held;
        if (known != null && known != spelled.assetType()) {
            String message = "assetType " + CanonicalHoldings.inTwoSleeves(spelled.symbol(), known) + ".";
            return Answer.refused(Refusal.invalid(List.of(new Problem("assetType", message))));
        }
        return Answer.given(spelled);
    }

    /**
     * The holdings with canonical symbols; refused when there are too many custodians or an asset is in two sleeves.
     */
    private static Answer<CustodianHoldings> admitted(Account account, CustodianHoldings holdings) {
        Portfolio portfolio = account.portfolio();
        if (portfolio != null
                && portfolio.custodian(holdings.id()).isEmpty()
                && portfolio.custodians().size() >= MAX_CUSTODIANS) {
            String message = "There are " + MAX_CUSTODIANS + " custodians already; replace one of them.";
            return Answer.refused(Refusal.of(Refusal.Code.TOO_MANY, message));
        }
        return CanonicalHoldings.of(
                        holdings, KnownAssets.resolver(account.portfolio(), account.ips(), List.of()), portfolio)
                .fold(Answer::given, problems -> Answer.refused(Refusal.invalid(problems)));
    }

    private static Change<Answer<Portfolio>> observed(CustodianHoldings holdings) {
        return account -> {
            Portfolio after = after(account, holdings, null);
            return recording(account, after, List.of()).answer(receipts -> Answer.given(after));
        };
    }

    private static Outcome<Answer<Execution>> traded(Account account, Order order, Filled filled) {
        Execution execution = filled.execution();
        EventDraft observed =
                EventPayloads.tradeObserved(execution, order.action(), order.symbol(), order.assetType(), null);
        Position moved = execution.moved(order.symbol(), order.assetType());
        return recording(account, after(account, filled.holdings(), moved), List.of(observed))
                .answer(receipts -> Answer.given(execution));
    }

    /**
     * The portfolio with new holdings of a custodian; unchanged when it already has newer holdings of that custodian.
     *
     * @param moved the units that a trade moved; null when there was no trade
     */
    static Portfolio after(Account account, CustodianHoldings holdings, @Nullable Position moved) {
        Portfolio before = account.portfolio();
        if (before == null) {
            return Portfolio.first(holdings, account.now());
        }
        return before.isNews(holdings) ? before.with(holdings, moved, account.now()) : before;
    }

    /** Records events and, if it has changed, the portfolio that results from them. */
    static Outcome.Recording recording(Account account, Portfolio after, List<EventDraft> events) {
        Outcome.Recording recording = new Outcome.Recording().events(events);
        if (!after.equals(account.portfolio())) {
            recording
                    .portfolio(after)
                    .events(DriftDetector.between(account.ips(), account.portfolio(), account.ips(), after));
        }
        return recording;
    }
}
