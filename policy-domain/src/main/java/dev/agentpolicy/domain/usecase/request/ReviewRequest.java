package dev.agentpolicy.domain.usecase.request;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.FlowCounts.LimitStanding;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMatching;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.decision.PendingTrade;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.FillLog;
import dev.agentpolicy.domain.port.PaperBooks;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.CustodianRouting;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.AccountState;
import dev.agentpolicy.domain.usecase.RequestReview;
import dev.agentpolicy.domain.usecase.RequestReview.AllInOrder;
import dev.agentpolicy.domain.usecase.RequestReview.BlockedRequest;
import dev.agentpolicy.domain.usecase.RequestReview.Estimate;
import dev.agentpolicy.domain.usecase.RequestReview.HeldValue;
import dev.agentpolicy.domain.usecase.RequestReview.Shown;
import dev.agentpolicy.domain.usecase.RequestReview.Tightest;
import dev.agentpolicy.domain.usecase.TradeCheck;
import dev.agentpolicy.domain.usecase.TradeCheck.CheckedTrade;
import dev.agentpolicy.domain.usecase.WaitingRequests;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    /** Maximum number of waiting requests that are decided in order; the work grows with its square. */
    static final int MAX_IN_ORDER = 200;

    /** Maximum number of waiting requests of which a list of verdicts tells. */
    public static final int MAX_VERDICTS = 500;

    private static final int QUANTITY_PLACES = 8;

    private final AccountReader accounts;
    private final RequestQueue requests;
    private final FillLog fills;
    private final PaperBooks books;
    private final InstantSource clock;

    public ReviewRequest(
            AccountReader accounts, RequestQueue requests, FillLog fills, PaperBooks books, InstantSource clock) {
        this.accounts = accounts;
        this.requests = requests;
        this.fills = fills;
        this.books = books;
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
        boolean isWaiting = request instanceof Pending pending && !pending.isAccepted();
        return new Reviewed(request, isWaiting ? review((Pending) request) : null);
    }

    /**
     * How the waiting requests of a user would be decided now, each alone, the oldest first.
     *
     * @param shown what that is based on
     * @param verdicts of at most {@value #MAX_VERDICTS}
     */
    public record Verdicts(Shown shown, List<Verdict> verdicts) {
        public Verdicts {
            verdicts = List.copyOf(verdicts);
        }
    }

    /**
     * How a request would be decided now, in short.
     *
     * @param isExecutable whether accepting it would get it executed
     * @param portfolioShare the amount as a fraction of the portfolio; null without a snapshot
     */
    public record Verdict(
            long id,
            boolean isAllowed,
            boolean isExecutable,
            @Nullable Fraction portfolioShare) {}

    /** How everything that waits for a user would be decided now. */
    public Verdicts verdicts(UserId user) {
        PresentAccount present = new PresentAccount(accounts.view(user), Instants.truncated(clock.instant()));
        List<Verdict> verdicts = WaitingRequests.of(requests, user, MAX_PENDING).stream()
                .filter(pending -> !pending.isExpired(present.state.now()))
                .limit(MAX_VERDICTS)
                .map(pending -> verdict(pending, present))
                .toList();
        return new Verdicts(present.shown(), verdicts);
    }

    private Verdict verdict(Pending pending, PresentAccount present) {
        CheckedTrade checked = present.checked(pending.proposal());
        EvaluationContext context = checked.context();
        return new Verdict(
                pending.id(),
                checked.decision().isAllowed(),
                executionProblem(pending, context.trade(), present) == null,
                share(context));
    }

    private RequestReview review(Pending pending) {
        Proposal proposal = pending.proposal();
        UserId user = proposal.userId();
        AccountView account = accounts.view(user);
        PresentAccount present = new PresentAccount(account, Instants.truncated(clock.instant()));
        CheckedTrade checked = present.checked(proposal);
        EvaluationContext context = checked.context();
        Decision decision = checked.decision();
        List<Pending> waiting = WaitingRequests.of(requests, user, MAX_PENDING);
        List<Pending> live = waiting.stream()
                .filter(other -> !other.isExpired(present.state.now()))
                .toList();
        return new RequestReview(
                decision.violations(),
                decision.isAllowed() ? tightest(context) : null,
                executionProblem(pending, context.trade(), present),
                ifAllPending(live, present, proposal, decision),
                waiting.size() < MAX_PENDING ? allInOrder(live, present) : new AllInOrder(0, true, null),
                limits(context, account, proposal),
                estimate(context.trade(), account.portfolio()),
                position(context),
                share(context),
                isFirst(user, context.trade(), account.portfolio()),
                CustodianRouting.custodian(context.trade(), account.portfolio())
                        .map(CustodianHoldings::id)
                        .orElse(null),
                present.shown().ipsVersion(),
                present.shown().portfolioRevision());
    }

    /** An account and its keys at the time of a review. */
    private final class PresentAccount {
        private final AccountView account;
        private final Map<AgentKeyId, Tally> tallies = new HashMap<>();
        private final Map<String, PaperBook> papers = new HashMap<>();
        private final AccountState state;

        PresentAccount(AccountView account, Instant now) {
            this.account = account;
            this.state = AccountState.of(account.ips(), account.portfolio(), account.connections(), null, now);
        }

        Shown shown() {
            return new Shown(
                    account.ips() == null ? null : account.ips().version(),
                    account.portfolio() == null ? 0 : account.portfolio().holdingsRevision());
        }

        CheckedTrade checked(Proposal proposal) {
            return TradeCheck.check(state, policy(proposal), proposal, usedByOthers(proposal));
        }

        PaperBook paper(Order order) {
            return papers.computeIfAbsent(order.custodian(), id -> books.find(order.userId(), id));
        }

        KeyPolicy policy(Proposal proposal) {
            return Optional.ofNullable(account.keys().get(proposal.agentKeyId()))
                    .map(AgentKey::policy)
                    .orElse(KeyPolicy.NO_CAPS);
        }

        /** What the other trades of the key use of its caps. */
        CapUsage usedByOthers(Proposal proposal) {
            Tally tally = tallies.computeIfAbsent(proposal.agentKeyId(), key -> accounts.tally(proposal.userId(), key));
            return new CapUsage(
                    0, Usd.ZERO, tally.minusPending(proposal.trade()).aum());
        }

        /** Decides on a proposal as if others were filled. */
        Decision after(List<Proposal> filled, Proposal proposal) {
            List<Trade> trades = filled.stream().map(Proposal::trade).toList();
            List<PendingTrade> pending = filled.stream()
                    .map(other ->
                            new PendingTrade(other.trade(), other.agentKeyId().equals(proposal.agentKeyId())))
                    .toList();
            EvaluationContext context = state.context(
                            trades, proposal.agentKeyId(), policy(proposal), proposal.sent(), usedByOthers(proposal))
                    .with(state.approvals(proposal.agentKeyId(), proposal.approvals()));
            return Evaluator.decide(PendingTrade.allFilled(context, pending));
        }
    }

    /** Why the order of a request would not be executed; asked of the code that routes it and of the one that fills it. */
    private @Nullable String executionProblem(Pending pending, Trade resolved, PresentAccount present) {
        return CustodianRouting.route(pending.proposal().trade(), resolved, present.account.portfolio())
                .<@Nullable String>fold(
                        custodian -> problem(
                                pending.accepted(custodian.id(), custodian.kind(), Fraction.ZERO, present.state.now()),
                                present),
                        reason -> reason);
    }

    private @Nullable String problem(Pending accepted, PresentAccount present) {
        OrderAttempt attempt = accepted.order();
        if (attempt == null) {
            return null;
        }
        Order order = attempt.order(accepted.proposal());
        if (!order.kind().isSynced()) {
            return PaperMatching.problem(present.paper(order), order).orElse(null);
        }
        return present.account
                .connections()
                .find(order.custodian())
                .filter(connection -> connection.status() == ConnectionStatus.REFUSED)
                .map(connection -> connection.name() + " refuses the connection: " + connection.error())
                .orElse(null);
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
        return new Tightest(binding.rule(), binding.limit(), actual(binding, it, after, largest), binding.ruleId());
    }

    private static @Nullable BigDecimal actual(Violation binding, EvaluationContext it, Projection after, Usd largest) {
        Trade trade = it.trade();
        BigDecimal violating = binding.actual();
        if (violating == null) {
            return null;
        }
        return switch (binding.rule()) {
            case CRYPTO_MAX_ALLOCATION, CRYPTO_MIN_ALLOCATION, TRADFI_MAX_ALLOCATION, TRADFI_MIN_ALLOCATION ->
                after.share(trade.assetType()).rounded().value();
            case CASH_FLOOR -> after.cashShare().rounded().value();
            case DRAWDOWN_EXCEEDED -> after.drawdown().rounded().value();
            case STANDING_RULE_BLOCKED, STANDING_RULE_REQUIRES_APPROVAL ->
                binding.ruleId() == null ? null : it.measured(binding.ruleId());
            default ->
                violating.subtract(
                        Headroom.justAbove(largest).minus(trade.amount()).value());
        };
    }

    private static List<Violation> ifAllPending(
            List<Pending> waiting, PresentAccount present, Proposal proposal, Decision alone) {
        List<Proposal> others = waiting.stream()
                .map(Pending::proposal)
                .filter(other -> other.id() != proposal.id())
                .toList();
        return others.isEmpty()
                ? alone.violations()
                : present.after(others, proposal).violations();
    }

    private static AllInOrder allInOrder(List<Pending> waiting, PresentAccount present) {
        List<Proposal> before = new ArrayList<>();
        for (Pending next : waiting) {
            if (before.size() == MAX_IN_ORDER) {
                return new AllInOrder(before.size(), true, null);
            }
            Decision decision = present.after(before, next.proposal());
            before.add(next.proposal());
            if (!decision.isAllowed()) {
                return new AllInOrder(
                        before.size(),
                        before.size() < waiting.size(),
                        new BlockedRequest(next.id(), decision.violations()));
            }
        }
        return new AllInOrder(before.size(), false, null);
    }

    /** The limits that are about the trade. Its proposal counts in flows; of positions and losses, what a buy makes of them. */
    private static List<LimitStanding> limits(EvaluationContext it, AccountView account, Proposal proposal) {
        List<LimitStanding> found = new ArrayList<>();
        Trade trade = it.trade();
        for (Limit limit : it.ips() == null ? List.<Limit>of() : it.ips().ips().limits()) {
            if (limit.isFlow() && limit.holds(trade)) {
                found.add(LimitStanding.of(
                        limit, account.flows().of(limit.flow(), proposal.agentKeyId(), trade), it.now()));
            } else if (limit.holds(trade) && trade.isBuy()) {
                found.add(LimitStanding.of(limit, it.measured(limit.id())));
            }
        }
        return found;
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
