package dev.agentpolicy.domain.portfolio;

import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;
import static dev.agentpolicy.domain.document.Schema.unlessEmpty;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.portfolio.SyncHistory.SyncTotal;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All holdings of a user at one revision. Immutable: every change is a new revision.
 *
 * @param revision 1, 2, 3, ... for each user
 * @param custodians in the order they were added
 * @param peak the highest confirmed total value, scaled by later deposits and withdrawals; the total may be above it
 * @param asOf the time of this revision
 * @param holdingsRevision grows with every change of quantities, cash or open orders, and not with prices
 * @param history the last syncs of brokers
 * @param highs the highest values of the last days
 */
public record Portfolio(
        long revision,
        List<CustodianHoldings> custodians,
        Usd peak,
        Instant asOf,
        long holdingsRevision,
        SyncHistory history,
        DayHighs highs) {

    /** The members of a stored revision. */
    public static final Schema<Portfolio> STORED = Schema.of(
            row -> {
                long revision = row.next();
                return new Portfolio(
                        revision,
                        row.next(),
                        row.next(),
                        row.next(),
                        row.nextOr(revision),
                        SyncHistory.of(row.nextOr(List.of()), row.nextOr(List.of())),
                        new DayHighs(row.nextOr(List.of())));
            },
            required("revision", Codec.LONG, Portfolio::revision),
            required("custodians", Codec.list(HoldingsDocument.STORED), Portfolio::custodians),
            required("peak", Usd.CODEC, Portfolio::peak),
            required("asOf", Codec.INSTANT, Portfolio::asOf),
            optional("holdingsRevision", Codec.LONG, Portfolio::holdingsRevision),
            // Portfolios that were stored before brokers had to confirm a peak have no history.
            unlessEmpty("syncs", Codec.list(SyncHistory.STORED_TOTAL), it -> it.history.totals()),
            unlessEmpty(
                    "earlierPrices",
                    Codec.list(SyncHistory.STORED_PRICES),
                    it -> List.copyOf(it.history.earlier().entrySet())),
            // Likewise with highs of days.
            unlessEmpty("highs", Codec.list(DayHighs.STORED), it -> it.highs.days()));

    public Portfolio {
        custodians = List.copyOf(custodians);
    }

    /** A revision whose holdings never changed without it. */
    public Portfolio(long revision, List<CustodianHoldings> custodians, Usd peak, Instant asOf) {
        this(revision, custodians, peak, asOf, revision, SyncHistory.NONE, DayHighs.NONE);
    }

    /** The first revision. Its peak is its total. */
    public static Portfolio first(CustodianHoldings holdings, Instant now) {
        Usd total = holdings.total();
        DayHighs highs = DayHighs.NONE.at(now, () -> total);
        Portfolio first = new Portfolio(1, List.of(holdings), total, now, 1, SyncHistory.NONE, highs);
        return holdings.kind().isSynced() ? first.raised(holdings.id()) : first;
    }

    /** The next revision, with the present holdings of one custodian. */
    public Portfolio with(CustodianHoldings holdings, Instant now) {
        return reported(holdings, null, now);
    }

    /**
     * The next revision, with the present holdings of one custodian. If it is a broker, this is a sync that may confirm a
     * higher peak.
     *
     * @param lastSyncedAt when the custodian was last synced, even if that changed nothing; null when never
     */
    public Portfolio reported(CustodianHoldings holdings, @Nullable Instant lastSyncedAt, Instant now) {
        CustodianHoldings had = custodian(holdings.id()).orElse(null);
        if (!holdings.kind().isSynced()) {
            return next(replaced(holdings), history, holdings.id(), null, now);
        }
        SyncHistory prices = had == null
                ? history
                : history.withUnchanged(holdings.id(), lastSyncedAt, total()).withPrices(had, holdings);
        return next(replaced(holdings), prices, holdings.id(), null, now).raised(holdings.id());
    }

    /**
     * The next revision, after a trade at a custodian. It confirms no higher peak.
     *
     * @param moved the traded position at its price, which may not be held any more
     */
    public Portfolio traded(CustodianHoldings holdings, Position moved, Instant now) {
        return next(replaced(holdings), history, holdings.id(), moved, now);
    }

    private List<CustodianHoldings> replaced(CustodianHoldings holdings) {
        List<CustodianHoldings> next = new ArrayList<>(custodians);
        int place = next.indexOf(custodian(holdings.id()).orElse(null));
        if (place < 0) {
            next.add(holdings);
        } else {
            next.set(place, holdings);
        }
        return next;
    }

    /** The next revision, whose peak is the present total, and whose highs of days are at most that. */
    public Portfolio withNewPeak(Instant now) {
        Usd total = total();
        return new Portfolio(
                revision + 1,
                custodians,
                total,
                now,
                holdingsRevision,
                new SyncHistory(List.of(), history.earlier()),
                highs.at(now, () -> total).map(total::min, high -> total));
    }

    /** The highest confirmed value of the last UTC days, today included. The present total may be above it. */
    public Usd highest(int windowDays, Instant now) {
        return highs.at(now, this::confirmedValue).highest(windowDays, now).orElse(peak);
    }

    /** The value at confirmed prices, with which a day begins on which nothing has changed yet. */
    private Usd confirmedValue() {
        return Flow.value(custodians, new Flow.Prices(custodians, history, "", null))
                .min(peak);
    }

    /** Whether the syncs of a broker have confirmed all that the last one reported, so that another adds nothing. */
    public boolean isConfirmed(String custodian) {
        return !total().isAbove(peak) && history.agreesOn(custodian);
    }

    /** The next revision, in which only the open orders of a custodian differ. */
    public Portfolio withOpenOrders(String custodian, List<OpenOrder> orders, Instant now) {
        List<CustodianHoldings> next = custodians.stream()
                .map(holdings -> holdings.id().equals(custodian) ? holdings.with(orders) : holdings)
                .toList();
        return next(next, peak, history, highs.at(now, this::confirmedValue), now);
    }

    /** The next revision, without the holdings of a custodian; they count as withdrawn. */
    public Portfolio without(String custodian, Instant now) {
        List<CustodianHoldings> next = custodians.stream()
                .filter(holdings -> !holdings.id().equals(custodian))
                .toList();
        return next(next, new Flow.Prices(custodians, history, custodian, null), now);
    }

    /** The same portfolio under another revision number. */
    public Portfolio at(long number) {
        return new Portfolio(number, custodians, peak, asOf, holdingsRevision, history, highs);
    }

    private Portfolio next(
            List<CustodianHoldings> next, SyncHistory syncs, String custodian, @Nullable Position moved, Instant now) {
        return next(next, new Flow.Prices(next, syncs, custodian, moved), now);
    }

    private Portfolio next(List<CustodianHoldings> next, Flow.Prices prices, Instant now) {
        Flow flow = Flow.between(custodians, next, prices);
        Usd newPeak = flow.peak(peak, this, next);
        DayHighs raised = highs.at(now, this::confirmedValue)
                .map(
                        high -> flow.scaled(high).min(newPeak),
                        high -> flow.peak(high, this, next).min(newPeak));
        return next(next, newPeak, prices.history().after(flow, next), raised, now);
    }

    private Portfolio next(List<CustodianHoldings> next, Usd newPeak, SyncHistory syncs, DayHighs days, Instant now) {
        long holdings = sameHoldings(next) ? holdingsRevision : holdingsRevision + 1;
        return new Portfolio(revision + 1, next, newPeak, now, holdings, syncs, days);
    }

    /** The same revision after a sync of a broker, whose total may confirm a higher peak. */
    private Portfolio raised(String broker) {
        SyncHistory syncs = history.with(new SyncTotal(broker, asOf, total()), custodians);
        Usd confirmed = syncs.confirmedTotal(custodians).orElse(peak);
        return new Portfolio(
                revision,
                custodians,
                peak.max(confirmed),
                asOf,
                holdingsRevision,
                syncs,
                highs.map(high -> high, high -> high.max(confirmed)));
    }

    private boolean sameHoldings(List<CustodianHoldings> next) {
        return next.size() == custodians.size()
                && IntStream.range(0, next.size()).allMatch(i -> next.get(i).hasHoldingsOf(custodians.get(i)));
    }

    /** Whether holdings are newer than the known ones of their custodian. */
    public boolean isNews(CustodianHoldings holdings) {
        return custodian(holdings.id())
                .map(known -> holdings.revision() > known.revision())
                .orElse(true);
    }

    public Optional<CustodianHoldings> custodian(String id) {
        return custodians.stream().filter(holdings -> holdings.id().equals(id)).findFirst();
    }

    public Usd total() {
        return custodians.stream().map(CustodianHoldings::total).reduce(Usd.ZERO, Usd::plus);
    }

    /** The value of one asset at all custodians, open orders counted as filled; 0 when it is not held. */
    public Usd held(AssetSymbol symbol, AssetType assetType) {
        Usd sum = Usd.ZERO;
        for (CustodianHoldings holdings : custodians) {
            sum = sum.plus(holdings.valueOf(symbol, assetType));
        }
        return sum;
    }

    /** The value of all assets that conditions name, open orders counted as filled. */
    public Usd held(When scope) {
        Usd sum = Usd.ZERO;
        for (CustodianHoldings holdings : custodians) {
            sum = sum.plus(holdings.valueOf(scope));
        }
        return sum;
    }

    /**
     * How a limit of a position or a loss stands, as a fraction in six places: of the portfolio what is held of its assets,
     * of each alone the most; or of the highest value what is lost. Null when nothing of value is held.
     */
    public @Nullable BigDecimal measured(Limit limit, Instant now) {
        Usd total = snapshot().map(Snapshot::total).orElse(Usd.ZERO);
        if (total.isZero()) {
            return null;
        }
        Integer days = limit.windowDays();
        if (days != null) {
            Usd peak = highest(days, now).max(total);
            return peak.minus(total).shareOf(peak).rounded().value();
        }
        Usd held = limit.perAsset() ? mostHeld(limit.scope()) : held(limit.scope());
        return held.shareOf(total).rounded().value();
    }

    private Usd mostHeld(When scope) {
        Usd most = Usd.ZERO;
        for (CustodianHoldings holdings : custodians) {
            for (Position position : holdings.positions()) {
                if (scope.covers(Action.BUY, position.symbol(), position.assetType())) {
                    most = most.max(held(position.symbol(), position.assetType()));
                }
            }
            for (OpenOrder order : holdings.openOrders()) {
                if (scope.covers(Action.BUY, order.symbol(), order.assetType())) {
                    most = most.max(held(order.symbol(), order.assetType()));
                }
            }
        }
        return most;
    }

    /**
     * The sleeve in which an asset is held or being bought, null when in none; crypto when it is held in both.
     */
    public @Nullable AssetType heldIn(AssetSymbol symbol) {
        AssetType held = sleeve(symbol, true);
        return held == null ? boughtIn(symbol) : held;
    }

    private @Nullable AssetType boughtIn(AssetSymbol symbol) {
        for (CustodianHoldings holdings : custodians) {
            for (OpenOrder order : holdings.openOrders()) {
                if (order.action() == Action.BUY && order.symbol().equals(symbol)) {
                    return order.assetType();
                }
            }
        }
        return null;
    }

    /** The sleeve in which an asset is listed with a quantity of 0, null when it is not; crypto when in both. */
    public @Nullable AssetType listedIn(AssetSymbol symbol) {
        return sleeve(symbol, false);
    }

    private @Nullable AssetType sleeve(AssetSymbol symbol, boolean isHeld) {
        for (AssetType type : AssetType.values()) {
            for (CustodianHoldings holdings : custodians) {
                Position position = holdings.find(symbol, type);
                if (position != null && position.quantity().signum() > 0 == isHeld) {
                    return type;
                }
            }
        }
        return null;
    }

    /**
     * The totals that a decision depends on, open orders counted as filled; empty when the portfolio is worth nothing.
     */
    public Optional<Snapshot> snapshot() {
        Usd crypto = Usd.ZERO;
        Usd tradfi = Usd.ZERO;
        Usd cash = Usd.ZERO;
        for (CustodianHoldings holdings : custodians) {
            Usd heldCrypto = holdings.valueOf(AssetType.CRYPTO);
            Usd heldTradfi = holdings.valueOf(AssetType.TRADFI);
            crypto = crypto.plus(heldCrypto);
            tradfi = tradfi.plus(heldTradfi);
            cash = cash.plus(
                    holdings.openOrders().isEmpty()
                            ? holdings.cash()
                            : holdings.total().minus(heldCrypto).minus(heldTradfi));
        }
        Snapshot snapshot = Snapshot.ofCrypto(crypto.max(Usd.ZERO))
                .tradfi(tradfi.max(Usd.ZERO))
                .cash(cash.max(Usd.ZERO))
                .peak(peak)
                .asOf(asOf);
        return snapshot.total().isZero() ? Optional.empty() : Optional.of(snapshot);
    }
}
