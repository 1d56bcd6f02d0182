package dev.agentpolicy.domain.usecase.custodian;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.FillLog;
import dev.agentpolicy.domain.port.PaperCustodians;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.portfolio.CanonicalHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.ConfirmingOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Records what users say about their paper custodians, and the trades that they make there themselves. Methods block. */
public record ObservePortfolio(
        Accounts accounts,
        AccountReader reader,
        PaperCustodians papers,
        Custodian custodian,
        SyncCustodian sync,
        FillLog fills,
        RandomSource random,
        OwnerLimits limits) {
    public static final int MAX_CUSTODIANS = 20;

    /** Replaces what a paper custodian of a user holds who confirms nothing. */
    public Answer<Portfolio> observe(UserId user, PaperSetup setup) {
        return observe(ConfirmingOwner.unconfirmed(user), setup);
    }

    /**
     * Replaces what a paper custodian holds, which can let agents do more: every band is a part of what is held. The answer is
     * the new portfolio.
     */
    public Answer<Portfolio> observe(ConfirmingOwner owner, PaperSetup setup) {
        UserId user = owner.user();
        return accounts.changeAndWait(
                        user,
                        account -> owner.change(account, true, confirmed -> counted(account, admitted(account, setup))))
                .then(spelled -> {
                    papers.replace(user, spelled);
                    SyncResult result = sync.sync(user, spelled.holdings().id());
                    Portfolio portfolio = reader.view(user).portfolio();
                    return portfolio != null && result == SyncResult.SYNCED
                            ? Answer.given(portfolio)
                            : Answer.refused(Refusal.unavailable());
                });
    }

    /** Executes a trade of a user who confirms nothing. */
    public Answer<Fill> trade(UserId user, String custodianId, OwnTrade trade) {
        return trade(ConfirmingOwner.unconfirmed(user), custodianId, trade);
    }

    /**
     * Executes a user's own trade at a paper custodian, at the user's price, which changes what is held. The answer is the
     * fill.
     */
    public Answer<Fill> trade(ConfirmingOwner owner, String custodianId, OwnTrade trade) {
        UserId user = owner.user();
        String clientOrderId = "user-" + random.uuid();
        return accounts.changeAndWait(
                        user,
                        account -> owner.change(
                                account, true, confirmed -> counted(account, admitted(account, custodianId, trade))))
                .then(spelled -> placed(spelled.order(clientOrderId, user, custodianId)));
    }

    /** A user's own trade has one fill, which has the id of its order. */
    private Answer<Fill> placed(Order order) {
        OrderReport report;
        try {
            report = custodian.place(order);
        } catch (CustodianFailure failed) {
            return Answer.refused(
                    failed.isRefusal()
                            ? Refusal.of(Refusal.Code.NOT_EXECUTED, failed.reason())
                            : Refusal.unavailable());
        }
        sync.sync(order.userId(), order.custodian());
        return fills.find(order.userId(), order.custodian(), report.externalId())
                .map(recorded -> Answer.given(recorded.fill()))
                .orElseGet(() -> Answer.refused(Refusal.unavailable()));
    }

    /** Counts what was admitted as a write of holdings; refuses it beyond the limit of the day. */
    private <T> Outcome<Answer<T>> counted(Account account, Answer<T> admitted) {
        if (admitted.refusal() != null) {
            return Outcome.nothing(admitted);
        }
        return limits.refuseHoldings(account)
                .map(refusal -> Outcome.nothing(Answer.<T>refused(refusal)))
                .orElseGet(() -> new Outcome.Recording()
                        .written(account.writtenToday().plusHoldings())
                        .answer(receipts -> admitted));
    }

    /** The trade with a canonical symbol; refused when the custodian is unknown, or the asset is in another sleeve or none. */
    private static Answer<OwnTrade> admitted(Account account, String custodianId, OwnTrade trade) {
        Portfolio portfolio = account.portfolio();
        if (portfolio == null || portfolio.custodian(custodianId).isEmpty()) {
            return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no custodian " + custodianId + "."));
        }
        if (account.connections().find(custodianId).isPresent()) {
            String message = "Trade at the broker itself; what you do there appears here by itself.";
            return Answer.refused(Refusal.of(Refusal.Code.CUSTODIAN_EXISTS, message));
        }
        AssetResolver resolver = KnownAssets.resolver(portfolio, account.ips(), List.of());
        OwnTrade spelled = trade.of(resolver.canonical(trade.symbol()));
        List<Problem> unnameable = unnameable("symbol", trade.symbol(), resolver);
        if (!unnameable.isEmpty()) {
            return Answer.refused(Refusal.invalid(unnameable));
        }
        AssetType held = portfolio.heldIn(spelled.symbol());
        AssetType known = held == null ? portfolio.listedIn(spelled.symbol()) : held;
        if (known != null && known != spelled.assetType()) {
            String message = "assetType " + CanonicalHoldings.inTwoSleeves(spelled.symbol(), known) + ".";
            return Answer.refused(Refusal.invalid(List.of(new Problem("assetType", message))));
        }
        return Answer.given(spelled);
    }

    /**
     * The setup with canonical symbols; refused when there are too many custodians, another kind of custodian has the id,
     * an asset is in two sleeves, or a position newly names a pair or a derivative.
     */
    private static Answer<PaperSetup> admitted(Account account, PaperSetup setup) {
        Portfolio portfolio = account.portfolio();
        CustodianHoldings holdings = setup.holdings();
        if (account.connections().find(holdings.id()).isPresent()) {
            String message = "The custodian " + holdings.id() + " is connected to a broker; use another id.";
            return Answer.refused(Refusal.of(Refusal.Code.CUSTODIAN_EXISTS, message));
        }
        if (isFull(account, holdings.id())) {
            String message = "There are " + MAX_CUSTODIANS + " custodians already; replace one of them.";
            return Answer.refused(Refusal.of(Refusal.Code.TOO_MANY, message));
        }
        AssetResolver resolver = KnownAssets.resolver(account.portfolio(), account.ips(), List.of());
        List<Problem> problems = new ArrayList<>(setup.spelledTwice(resolver::canonical));
        for (int i = 0; i < holdings.positions().size(); i++) {
            AssetSymbol symbol = holdings.positions().get(i).symbol();
            problems.addAll(unnameable("positions[" + i + "].symbol", symbol, resolver));
        }
        if (!problems.isEmpty()) {
            return Answer.refused(Refusal.invalid(problems));
        }
        return CanonicalHoldings.of(holdings, resolver, portfolio)
                .fold(
                        spelled -> Answer.given(setup.canonical(spelled, resolver::canonical)),
                        wrong -> Answer.refused(Refusal.invalid(wrong)));
    }

    private static List<Problem> unnameable(String field, AssetSymbol spelling, AssetResolver resolver) {
        return resolver.unnameable(field, Map.of(spelling, resolver.canonical(spelling)), symbol -> false);
    }

    /** Whether the account may not have one more custodian with this id. */
    static boolean isFull(Account account, String id) {
        Portfolio portfolio = account.portfolio();
        return portfolio != null
                && portfolio.custodian(id).isEmpty()
                && portfolio.custodians().size() >= MAX_CUSTODIANS;
    }
}
