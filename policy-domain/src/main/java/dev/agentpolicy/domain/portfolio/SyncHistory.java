package dev.agentpolicy.domain.portfolio;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The last syncs of an account's brokers, which confirm its peak and its prices (docs/reference/rules.md, The peak).
 * One sync confirms neither, since a broker may report a wrong price.
 *
 * @param totals the syncs that the peak is raised by, those of each broker oldest first; at most
 *     {@link #MAX_TOTALS} for each broker
 * @param earlier the prices of a position at the two syncs before the last one; absent when all three are equal
 */
public record SyncHistory(List<SyncTotal> totals, Map<HeldAt, EarlierPrices> earlier) {
    /** The history of an account without brokers. */
    public static final SyncHistory NONE = new SyncHistory(List.of(), Map.of());

    /** A rise of the portfolio counts when all syncs of this time agree on it. */
    static final Duration WINDOW = Duration.ofMinutes(2);

    /** The least number of syncs of each broker that must agree. */
    static final int MIN_SYNCS = 3;

    static final int MAX_TOTALS = 60;

    static final Schema<SyncTotal> STORED_TOTAL = Schema.of(
            row -> new SyncTotal(row.next(), row.next(), row.next()),
            required("custodian", Codec.TEXT, SyncTotal::custodian),
            required("at", Codec.INSTANT, SyncTotal::at),
            required("total", Usd.CODEC, SyncTotal::total));

    static final Schema<Map.Entry<HeldAt, EarlierPrices>> STORED_PRICES = Schema.of(
            row -> Map.entry(new HeldAt(row.next(), row.next(), row.next()), new EarlierPrices(row.next(), row.next())),
            required("custodian", Codec.TEXT, it -> it.getKey().custodian()),
            required("symbol", AssetSymbol.CODEC, it -> it.getKey().symbol()),
            required("assetType", Codec.word(AssetType.class), it -> it.getKey().assetType()),
            required("last", Usd.CODEC, it -> it.getValue().last()),
            required("beforeLast", Usd.CODEC, it -> it.getValue().beforeLast()));

    public SyncHistory {
        totals = List.copyOf(totals);
        earlier = Map.copyOf(earlier);
    }

    static SyncHistory of(List<SyncTotal> totals, List<Map.Entry<HeldAt, EarlierPrices>> earlier) {
        return new SyncHistory(
                totals, earlier.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /**
     * The value of a whole portfolio when a broker was synced.
     *
     * @param custodian the broker
     * @param at the time of the sync
     * @param total in USD, scaled by later deposits and withdrawals as the peak is
     */
    public record SyncTotal(String custodian, Instant at, Usd total) {}

    /** Identifies a position of an account. */
    public record HeldAt(String custodian, AssetSymbol symbol, AssetType assetType) {

        static HeldAt of(String custodian, Position position) {
            return new HeldAt(custodian, position.symbol(), position.assetType());
        }
    }

    /**
     * Two former prices of a position.
     *
     * @param last the one before the present price
     * @param beforeLast the one before that
     */
    public record EarlierPrices(Usd last, Usd beforeLast) {

        /** The price in the middle of three. */
        private Usd middle(Usd price) {
            Usd low = last.min(beforeLast);
            Usd high = last.max(beforeLast);
            return price.max(low).min(high);
        }
    }

    /** The confirmed price of a position: the middle one of its last three syncs, and that of a paper custodian at once. */
    Usd confirmedPrice(String custodian, Position position) {
        EarlierPrices prices = earlier.get(HeldAt.of(custodian, position));
        return prices == null ? position.price() : prices.middle(position.price());
    }

    /** Whether the last three syncs of a custodian agree on all its prices. */
    boolean agreesOn(String custodian) {
        return earlier.keySet().stream().noneMatch(held -> held.custodian().equals(custodian));
    }

    /** The history with the prices of one more sync. */
    SyncHistory withPrices(CustodianHoldings had, CustodianHoldings now) {
        Map<HeldAt, EarlierPrices> next = new HashMap<>(earlier);
        for (Position position : now.positions()) {
            Position before = had.find(position.symbol(), position.assetType());
            if (before == null) {
                continue;
            }
            HeldAt held = HeldAt.of(now.id(), position);
            EarlierPrices known = earlier.get(held);
            EarlierPrices shifted = new EarlierPrices(before.price(), known == null ? before.price() : known.last());
            if (shifted.equals(new EarlierPrices(position.price(), position.price()))) {
                next.remove(held);
            } else {
                next.put(held, shifted);
            }
        }
        return new SyncHistory(totals, next);
    }

    /** The history after a change of holdings: totals are scaled, and what is not held at a broker is forgotten. */
    SyncHistory after(Flow flow, List<CustodianHoldings> holdings) {
        Set<String> brokers = brokers(holdings);
        Set<HeldAt> held = holdings.stream()
                .filter(at -> brokers.contains(at.id()))
                .flatMap(at -> at.positions().stream().map(position -> HeldAt.of(at.id(), position)))
                .collect(Collectors.toSet());
        Map<HeldAt, EarlierPrices> prices = new HashMap<>(earlier);
        prices.keySet().retainAll(held);
        return new SyncHistory(
                totals.stream()
                        .filter(sync -> brokers.contains(sync.custodian()))
                        .map(sync -> new SyncTotal(sync.custodian(), sync.at(), flow.scaled(sync.total())))
                        .toList(),
                prices);
    }

    /**
     * The history with the time of a sync that found no change, which is not recorded by itself.
     *
     * @param total the present total
     */
    SyncHistory withUnchanged(String custodian, @Nullable Instant at, Usd total) {
        SyncTotal last = last(custodian);
        if (at == null || last != null && !at.isAfter(last.at())) {
            return this;
        }
        return with(
                new SyncTotal(custodian, at, last == null ? total : last.total().min(total)));
    }

    /** The history with one more sync, without those that no longer matter. */
    SyncHistory with(SyncTotal sync, List<CustodianHoldings> holdings) {
        SyncHistory all = with(sync);
        Instant since = sync.at().minus(WINDOW);
        for (String broker : brokers(holdings)) {
            List<SyncTotal> own = all.of(broker);
            Instant third = own.size() < MIN_SYNCS
                    ? Instant.MIN
                    : own.get(own.size() - MIN_SYNCS).at();
            since = third.isBefore(since) ? third : since;
        }
        Instant first = since;
        return new SyncHistory(
                all.totals.stream().filter(it -> !it.at().isBefore(first)).toList(), earlier);
    }

    /** Beyond the maximum, a sync joins the one before it, with the lower total of both. */
    private SyncHistory with(SyncTotal sync) {
        List<SyncTotal> all = new ArrayList<>(totals);
        SyncTotal last = last(sync.custodian());
        if (last == null || of(sync.custodian()).size() < MAX_TOTALS) {
            all.add(sync);
        } else {
            all.remove(last);
            all.add(new SyncTotal(sync.custodian(), sync.at(), sync.total().min(last.total())));
        }
        return new SyncHistory(all, earlier);
    }

    /** The total that all syncs agree was reached; empty while a broker was not synced often enough. */
    Optional<Usd> confirmedTotal(List<CustodianHoldings> holdings) {
        boolean isEnough =
                brokers(holdings).stream().allMatch(broker -> of(broker).size() >= MIN_SYNCS);
        return isEnough ? totals.stream().map(SyncTotal::total).reduce(Usd::min) : Optional.empty();
    }

    private List<SyncTotal> of(String custodian) {
        return totals.stream()
                .filter(sync -> sync.custodian().equals(custodian))
                .toList();
    }

    private @Nullable SyncTotal last(String custodian) {
        List<SyncTotal> own = of(custodian);
        return own.isEmpty() ? null : own.get(own.size() - 1);
    }

    private static Set<String> brokers(List<CustodianHoldings> holdings) {
        return holdings.stream()
                .filter(at -> at.kind().isSynced())
                .map(CustodianHoldings::id)
                .collect(Collectors.toSet());
    }
}
