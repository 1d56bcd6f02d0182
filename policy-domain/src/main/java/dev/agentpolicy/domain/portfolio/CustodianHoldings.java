package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The holdings of a user at one custodian.
 *
 * @param id given by the user: 1 to 64 of {@code A-Z a-z 0-9 . _ -}
 * @param name for people
 * @param kind the kind of custodian
 * @param syncedAt when the custodian last reported them
 * @param revision grows with every change of the books; the greatest one is current
 * @param cash in USD, from 0
 * @param positions one for each symbol and sleeve
 * @param openOrders what is not yet filled of orders; not yet in cash and positions
 */
public record CustodianHoldings(
        String id,
        String name,
        CustodianKind kind,
        Instant syncedAt,
        long revision,
        Usd cash,
        List<Position> positions,
        List<OpenOrder> openOrders) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public CustodianHoldings {
        positions = Positions.copyOf(positions);
        openOrders = List.copyOf(openOrders);
    }

    /** Holdings without open orders. */
    public CustodianHoldings(
            String id,
            String name,
            CustodianKind kind,
            Instant syncedAt,
            long revision,
            Usd cash,
            List<Position> positions) {
        this(id, name, kind, syncedAt, revision, cash, positions, List.of());
    }

    /** The same holdings with other open orders. */
    public CustodianHoldings with(List<OpenOrder> orders) {
        return new CustodianHoldings(id, name, kind, syncedAt, revision, cash, positions, orders);
    }

    /** The holdings after a trade, as far as they are known. What was held keeps its price; other assets get the trade's. */
    public CustodianHoldings after(Action action, Position moved, Usd amount) {
        boolean isBuy = action == Action.BUY;
        Position before = find(moved.symbol(), moved.assetType());
        BigDecimal held = before == null ? BigDecimal.ZERO : before.quantity();
        BigDecimal quantity = isBuy ? held.add(moved.quantity()) : held.subtract(moved.quantity());
        List<Position> next = new ArrayList<>(positions);
        if (before != null) {
            next.remove(before);
        }
        if (quantity.signum() > 0) {
            Usd price = before == null || held.signum() == 0 ? moved.price() : before.price();
            next.add(new Position(moved.symbol(), moved.assetType(), quantity, price));
        }
        Usd left = isBuy ? cash.minus(amount) : cash.plus(amount);
        return new CustodianHoldings(id, name, kind, syncedAt, revision, left.max(Usd.ZERO), next, openOrders);
    }

    /** Whether these holdings differ from others in more than the time and revision at which they were read. */
    public boolean differsFrom(CustodianHoldings other) {
        return !with(other.syncedAt, other.revision).equals(other);
    }

    /** Whether cash, quantities and open orders are those of other holdings; prices may differ. */
    boolean hasHoldingsOf(CustodianHoldings other) {
        return id.equals(other.id)
                && cash.equals(other.cash)
                && openOrders.equals(other.openOrders)
                && positions.size() == other.positions.size()
                && positions.stream().allMatch(position -> {
                    Position same = other.find(position.symbol(), position.assetType());
                    return same != null && same.quantity().compareTo(position.quantity()) == 0;
                });
    }

    private CustodianHoldings with(Instant time, long number) {
        return new CustodianHoldings(id, name, kind, time, number, cash, positions, openOrders);
    }

    /** Cash that no open order holds; below 0 when open buys exceed the cash. */
    public Usd freeCash() {
        return openOrders.stream()
                .filter(order -> order.action() == Action.BUY)
                .map(OpenOrder::rest)
                .reduce(cash, Usd::minus);
    }

    /** The value of an asset once all open orders are filled, at present prices and with the cash there is. */
    public Usd valueOf(AssetSymbol symbol, AssetType type) {
        Position position = find(symbol, type);
        return filled(symbol, type, position == null ? Usd.ZERO : position.marketValue());
    }

    private Usd filled(AssetSymbol symbol, AssetType type, Usd held) {
        Usd value = held;
        for (OpenOrder order : payable()) {
            value = order.isOf(symbol, type) ? value.plus(order.added()) : value;
        }
        return value.max(Usd.ZERO);
    }

    /** The open orders, without what buys cannot pay: other trades may have spent the cash they were accepted with. */
    private List<OpenOrder> payable() {
        if (openOrders.isEmpty() || freeCash().value().signum() >= 0) {
            return openOrders;
        }
        List<OpenOrder> payable = new ArrayList<>();
        Usd left = cash;
        for (OpenOrder order : openOrders) {
            boolean isBuy = order.action() == Action.BUY;
            Usd paid = isBuy ? order.rest().min(left.max(Usd.ZERO)) : order.rest();
            left = isBuy ? left.minus(paid) : left;
            payable.add(new OpenOrder(order.clientOrderId(), order.action(), order.symbol(), order.assetType(), paid));
        }
        return payable;
    }

    /** The value of all assets that conditions name once all open orders are filled. */
    Usd valueOf(When scope) {
        return valueOf((symbol, type) -> scope.covers(Action.BUY, symbol, type));
    }

    /** The value of a sleeve once all open orders are filled. What these move never changes the total. */
    Usd valueOf(AssetType sleeve) {
        return valueOf((symbol, type) -> type == sleeve);
    }

    private Usd valueOf(BiPredicate<AssetSymbol, AssetType> isCounted) {
        Usd sum = Usd.ZERO;
        for (Position position : positions) {
            if (isCounted.test(position.symbol(), position.assetType())) {
                sum = sum.plus(filled(position.symbol(), position.assetType(), position.marketValue()));
            }
        }
        Set<AssetSymbol> bought = new HashSet<>();
        for (OpenOrder order : openOrders) {
            boolean isNew = isCounted.test(order.symbol(), order.assetType())
                    && find(order.symbol(), order.assetType()) == null
                    && bought.add(order.symbol());
            sum = isNew ? sum.plus(valueOf(order.symbol(), order.assetType())) : sum;
        }
        return sum;
    }

    public static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    public Usd total() {
        return positions.stream().map(Position::marketValue).reduce(cash, Usd::plus);
    }

    @Nullable
    Position find(AssetSymbol symbol, AssetType type) {
        return ((Positions) positions).find(symbol, type);
    }

    public Optional<Position> position(AssetSymbol symbol, AssetType type) {
        return Optional.ofNullable(find(symbol, type));
    }

    /** The kind of a custodian. */
    public enum CustodianKind implements Word {
        /** Simulated: trades are filled without a market. */
        PAPER,
        /** An account at Alpaca. */
        ALPACA;

        /** Whether it is synced over a connection. A paper custodian is not: its books are the service's own. */
        public boolean isSynced() {
            return this != PAPER;
        }
    }

    /** An immutable list of positions that finds one by symbol and sleeve: by a scan if it is short, else by a hash. */
    private static final class Positions extends AbstractList<Position> implements RandomAccess {
        /** Up to this many positions, a scan is faster than a hash. */
        private static final int MAX_SCANNED = 8;

        private final List<Position> all;
        private final Map<AssetSymbol, Position> crypto;
        private final Map<AssetSymbol, Position> tradfi;

        private Positions(List<Position> positions) {
            this.all = List.copyOf(positions);
            this.crypto = index(all, AssetType.CRYPTO);
            this.tradfi = index(all, AssetType.TRADFI);
        }

        static Positions copyOf(List<Position> positions) {
            return positions instanceof Positions copied ? copied : new Positions(positions);
        }

        @Nullable
        Position find(AssetSymbol symbol, AssetType type) {
            if (all.size() > MAX_SCANNED) {
                return (type == AssetType.CRYPTO ? crypto : tradfi).get(symbol);
            }
            for (Position position : all) {
                if (position.isOf(symbol, type)) {
                    return position;
                }
            }
            return null;
        }

        @Override
        public Position get(int place) {
            return all.get(place);
        }

        @Override
        public int size() {
            return all.size();
        }

        private static Map<AssetSymbol, Position> index(List<Position> all, AssetType type) {
            if (all.size() <= MAX_SCANNED) {
                return Map.of();
            }
            Map<AssetSymbol, Position> index = new HashMap<>();
            for (Position position : all) {
                if (position.assetType() == type) {
                    index.putIfAbsent(position.symbol(), position);
                }
            }
            return index;
        }
    }
}
