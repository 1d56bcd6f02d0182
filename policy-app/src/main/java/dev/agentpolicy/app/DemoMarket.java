package dev.agentpolicy.app;

import dev.agentpolicy.app.guard.Scheduler;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.port.PaperBooks;
import dev.agentpolicy.domain.port.PaperBooks.BookRef;
import dev.agentpolicy.domain.port.PaperBooks.Changed;
import dev.agentpolicy.domain.port.PaperBooks.OrdersNeeded;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetDirectory;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Moves the prices of all paper custodians while the demonstration runs. An asset moves alike in all books: by a seeded
 * random walk that is drawn back to where it began, and that stays within a range around it.
 */
final class DemoMarket implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final int MAX_BOOKS = 100;
    private static final MathContext PRICE_DIGITS = new MathContext(6, RoundingMode.HALF_UP);

    private final PaperBooks books;
    private final SyncCustodian sync;
    private final BooleanSupplier mayMove;
    private final Map<AssetSymbol, Walk> walks = new HashMap<>();
    private final Scheduler thread = new Scheduler("demo-market");

    /** @param mayMove whether prices may move now; otherwise they stay */
    DemoMarket(PaperBooks books, SyncCustodian sync, BooleanSupplier mayMove) {
        this.books = books;
        this.sync = sync;
        this.mayMove = mayMove;
    }

    /** Begins to move prices, every few seconds. */
    void begin() {
        thread.repeat("Moving the prices of the demonstration", PAUSE, PAUSE, () -> {
            if (mayMove.getAsBoolean()) {
                move();
            }
        });
    }

    @Override
    public void close() {
        thread.close();
    }

    /** Moves all prices once, and brings the portfolios up to date. An asset seen for the first time moves from then on. */
    void move() {
        move(1);
    }

    /**
     * Moves all prices several times at once.
     *
     * @param steps how many moves it comes to
     */
    void move(int steps) {
        Map<AssetSymbol, BigDecimal> moves = new HashMap<>();
        walks.forEach((symbol, walk) -> moves.put(symbol, walk.next(steps)));
        for (BookRef book : books.all(MAX_BOOKS)) {
            PaperBook moved = books.change(book.user(), book.custodian(), OrdersNeeded.OPEN, before -> {
                PaperBook after = moved(before, moves);
                return new Changed<>(after, after);
            });
            moved.positions()
                    .forEach(it -> walks.computeIfAbsent(it.symbol(), symbol -> Walk.of(symbol, it.assetType())));
            moved.prices().keySet().forEach(it -> walks.computeIfAbsent(it, symbol -> Walk.of(symbol, sleeve(symbol))));
            sync.sync(book.user(), book.custodian());
        }
    }

    private static AssetType sleeve(AssetSymbol symbol) {
        AssetDirectory.Entry known = AssetDirectory.builtIn().find(symbol);
        return known == null ? AssetType.TRADFI : known.assetType();
    }

    /**
     * The book with other prices.
     *
     * @param moves what to multiply each price with; an asset that is missing keeps its price
     */
    static PaperBook moved(PaperBook book, Map<AssetSymbol, BigDecimal> moves) {
        List<Position> positions = book.positions().stream()
                .map(it -> new Position(
                        it.symbol(), it.assetType(), it.quantity(), moved(it.price(), moves.get(it.symbol()))))
                .toList();
        Map<AssetSymbol, Usd> prices = book.prices().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, price -> moved(price.getValue(), moves.get(price.getKey()))));
        boolean isSame = positions.equals(book.positions()) && prices.equals(book.prices());
        return isSame
                ? book
                : new PaperBook(
                        book.custodian(),
                        book.name(),
                        book.revision() + 1,
                        book.cash(),
                        positions,
                        prices,
                        book.market(),
                        book.orders());
    }

    private static Usd moved(Usd price, @Nullable BigDecimal move) {
        if (move == null) {
            return price;
        }
        BigDecimal exact = price.value().multiply(move).round(PRICE_DIGITS);
        BigDecimal next = exact.scale() > HoldingsDocument.USD_DECIMALS
                ? exact.setScale(HoldingsDocument.USD_DECIMALS, RoundingMode.HALF_UP)
                : exact;
        // An asset without a price would not be traded any more.
        return next.signum() == 0 ? price : new Usd(next);
    }

    /** How the price of one asset moves. The same symbol always moves alike. */
    static final class Walk {
        /** How much of the way back to where it began a price goes with each move. */
        private static final double PULL = 0.001;

        private final Random random;
        private final double step;
        private final double range;
        private double level = 1;

        /**
         * @param step the usual move, as a part of the price
         * @param range how far it moves from where it began, as a part of that
         */
        private Walk(long seed, double step, double range) {
            this.random = new Random(seed);
            this.step = step;
            this.range = range;
        }

        /** With these ranges the demonstration's portfolio stays within the bands and the drawdown of its policy. */
        static Walk of(AssetSymbol symbol, AssetType type) {
            long seed = symbol.value().hashCode();
            return type == AssetType.CRYPTO ? new Walk(seed, 0.002, 0.2) : new Walk(seed, 0.0005, 0.06);
        }

        /** What to multiply the price with for several moves. */
        BigDecimal next(int moves) {
            double before = level;
            for (int i = 0; i < moves; i++) {
                double moved = level * (1 + step * random.nextGaussian()) + PULL * (1 - level);
                level = Math.max(1 - range, Math.min(1 + range, moved));
            }
            return BigDecimal.valueOf(level / before);
        }
    }
}
