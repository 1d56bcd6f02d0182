package dev.agentpolicy.domain.usecase.owner;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.decision.PendingTrade;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.FillLog;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.CustodianRouting;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.AccountState;
import dev.agentpolicy.domain.usecase.RequestReview;
import dev.agentpolicy.domain.usecase.RequestReview.Estimate;
import dev.agentpolicy.domain.usecase.RequestReview.HeldValue;
import dev.agentpolicy.domain.usecase.RequestReview.Tightest;
import dev.agentpolicy.domain.usecase.TradeCheck;
import dev.agentpolicy.domain.usecase.TradeCheck.CheckedTrade;
import dev.agentpolicy.domain.usecase.WaitingRequests;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Computes how a waiting request would be decided at this moment. Records nothing; accepting decides again, by the same
 * rules, and refuses if what was shown is no longer in force.
 *
 * <p>Every method blocks on a few queries, which do not share a point in time.
 */
public final class ReviewRequest {
    /** Maximum number of other waiting requests that are looked at. */
    public static final int MAX_PENDING = 2500;

    private static final int QUANTITY_PLACES = 8;

    private final AccountReader accounts;
    private final RequestQueue requests;
    private final FillLog fills;
    private final InstantSource clock;

    public ReviewRequest(AccountReader accounts, RequestQueue requests, FillLog fills, InstantSource clock) {
        this.accounts = accounts;
        this.requests = requests;
        this.fills = fills;
        this.clock = clock;
    }

    /**
     * A request, with its review while it waits for its user.
     *
     * @param request the request
     * @param now null once it is accepted or resolved
     */
    public record Reviewed(ServiceRequest request, @Nullable RequestReview now) {}

    /** A request of the user; empty for a request of another user. */
    public Optional<Reviewed> find(UserId user, long id) {
        return requests.find(user, id).map(this::reviewed);
    }

    /** The request with its review of this moment. */
    public Reviewed reviewed(ServiceRequest request) {
        return new Reviewed(
                request,
                request.<@Nullable RequestReview>fold(
                        pending -> pending.isAccepted() ? null : review(pending.proposal()),
                        completed -> null,
                        rejected -> null));
    }

    private RequestReview review(Proposal proposal) {
        Instant now = Instants.truncated(clock.instant());
        UserId user = proposal.userId();
        AccountView account = accounts.view(user);
        AccountState state = AccountState.of(account.ips(), account.portfolio(), account.connections(), now);
        KeyPolicy policy = Optional.ofNullable(account.keys().get(proposal.agentKeyId()))
                .map(AgentKey::policy)
                .orElse(KeyPolicy.NO_CAPS);
        CapUsage used = new CapUsage(
                0,
                Usd.ZERO,
                accounts.tally(user, proposal.agentKeyId())
                        .minusPending(proposal.trade())
                        .aum());
        CheckedTrade checked = TradeCheck.check(state, policy, proposal, used);
        EvaluationContext context = checked.context();
        Decision decision = checked.decision();
        List<PendingTrade> others = others(proposal, now);
        return new RequestReview(
                decision.violations(),
                decision.isAllowed() ? tightest(context) : null,
                ifAccepted(others, state, policy, proposal, used, decision),
                estimate(context.trade(), account.portfolio()),
                position(context),
                share(context),
                isFirst(user, context.trade(), account.portfolio()),
                CustodianRouting.custodian(context.trade(), account.portfolio())
                        .map(CustodianHoldings::id)
                        .orElse(null),
                account.ips() == null ? null : account.ips().version(),
                account.portfolio() == null ? 0 : account.portfolio().holdingsRevision());
    }

    /**
     * The rule that binds first when the amount grows, with its value for the present amount. Values in USD grow with
     * the amount, so they follow from the violation just above the largest allowed amount.
     */
    static @Nullable Tightest tightest(EvaluationContext it) {
        Headroom headroom = Headroom.of(it);
        Violation binding = headroom.binding();
        Usd largest = headroom.maxAllowed();
        Snapshot before = it.snapshot();
        if (binding == null || largest == null || before == null) {
            return null;
        }
        Projection after = Projection.of(before, it.trade());
        return new Tightest(binding.rule(), binding.limit(), actual(binding, it.trade(), after, largest));
    }

    private static @Nullable BigDecimal actual(Violation binding, Trade trade, Projection after, Usd largest) {
        BigDecimal violating = binding.actual();
        if (violating == null) {
            return null;
        }
        return switch (binding.rule()) {
            case CRYPTO_MAX_ALLOCATION, CRYPTO_MIN_ALLOCATION, TRADFI_MAX_ALLOCATION, TRADFI_MIN_ALLOCATION ->
                after.share(trade.assetType()).rounded().value();
            case CASH_FLOOR -> after.cashShare().rounded().value();
            case DRAWDOWN_EXCEEDED -> after.drawdown().rounded().value();
            default ->
                violating.subtract(
                        Headroom.justAbove(largest).minus(trade.amount()).value());
        };
    }

    /** The trades of the other requests that wait, oldest first. */
    private List<PendingTrade> others(Proposal proposal, Instant now) {
        return WaitingRequests.of(requests, proposal.userId(), MAX_PENDING).stream()
                .filter(other -> other.id() != proposal.id() && !other.isExpired(now))
                .map(Pending::proposal)
                .map(other -> new PendingTrade(other.trade(), other.agentKeyId().equals(proposal.agentKeyId())))
                .toList();
    }

    private static List<Violation> ifAccepted(
            List<PendingTrade> others,
            AccountState state,
            KeyPolicy policy,
            Proposal proposal,
            CapUsage used,
            Decision alone) {
        if (others.isEmpty()) {
            return alone.violations();
        }
        List<Trade> trades = others.stream().map(PendingTrade::trade).toList();
        EvaluationContext context = state.context(trades, policy, proposal.sent(), used)
                .with(state.approvals(proposal.agentKeyId(), proposal.approvals()));
        return Evaluator.decide(PendingTrade.allFilled(context, others)).violations();
    }

    private static @Nullable Estimate estimate(Trade trade, @Nullable Portfolio portfolio) {
        return Stream.concat(
                        CustodianRouting.custodian(trade, portfolio).stream(),
                        portfolio == null ? Stream.empty() : portfolio.custodians().stream())
                .flatMap(holdings -> holdings.position(trade.asset(), trade.assetType()).stream()
                        .filter(position -> !position.price().isZero())
                        .map(position -> estimate(trade, position, holdings.syncedAt())))
                .findFirst()
                .orElse(null);
    }

    private static Estimate estimate(Trade trade, Position position, Instant at) {
        Usd price = position.price();
        BigDecimal quantity = trade.amount().value().divide(price.value(), QUANTITY_PLACES, RoundingMode.DOWN);
        return new Estimate(quantity, price, at);
    }

    private static @Nullable HeldValue position(EvaluationContext it) {
        Usd held = it.held();
        Trade trade = it.trade();
        return held == null
                ? null
                : new HeldValue(
                        held,
                        trade.isBuy()
                                ? held.plus(trade.arriving())
                                : held.minus(trade.amount()).max(Usd.ZERO));
    }

    private static @Nullable Fraction share(EvaluationContext it) {
        Snapshot snapshot = it.snapshot();
        return snapshot == null
                ? null
                : it.trade().amount().shareOf(snapshot.total()).rounded();
    }

    private boolean isFirst(UserId user, Trade trade, @Nullable Portfolio portfolio) {
        boolean isHeld = portfolio != null && portfolio.heldIn(trade.asset()) != null;
        return !isHeld && !fills.isTraded(user, trade.asset());
    }
}
