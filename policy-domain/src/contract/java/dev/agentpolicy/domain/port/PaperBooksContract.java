package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMarket;
import dev.agentpolicy.domain.custodian.PaperMatching;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.port.PaperBooks.BookRef;
import dev.agentpolicy.domain.port.PaperBooks.Changed;
import dev.agentpolicy.domain.port.PaperBooks.OrdersNeeded;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The contract of {@link PaperBooks}. */
public interface PaperBooksContract {
    Instant MONDAY = Instant.parse("2026-11-16T08:00:00.000001Z");
    AssetSymbol BTC = new AssetSymbol("BTC");
    AssetSymbol ETH = new AssetSymbol("ETH");

    PaperBooks books();

    /** The same books on another node. */
    PaperBooks otherNode();

    @Test
    default void a_book_that_was_never_written_does_not_exist() {
        UserId user = StoreSamples.user();

        assertThat(read(user, OrdersNeeded.OPEN)).isEqualTo(PaperBook.none("paper"));
        assertThat(otherNode().find(user, "paper")).isEqualTo(PaperBook.none("paper"));
        assertThat(otherNode().delete(user, "paper")).isFalse();
    }

    @Test
    default void a_book_is_read_as_it_was_written() {
        UserId user = StoreSamples.user();
        PaperMarket market = new PaperMarket(false, new Fraction(new BigDecimal("0.4")), Set.of(ETH));

        open(user, market);

        PaperBook read = read(user, OrdersNeeded.OPEN);
        assertThat(read).isEqualTo(PaperMatching.replace(PaperBook.none("paper"), setup(market)));
        assertThat(read.exists()).isTrue();
        place(user, "first");
        PaperBook found = otherNode().find(user, "paper");
        assertThat(found.revision()).isGreaterThan(read.revision());
        assertThat(found.market()).isEqualTo(market);
        assertThat(found.orders()).isEmpty();
    }

    @Test
    default void only_the_open_orders_and_those_asked_for_are_read() {
        UserId user = StoreSamples.user();
        open(user, PaperMarket.OPEN);
        place(user, "first");
        long revision = read(user, OrdersNeeded.OPEN).revision();
        place(user, "second");
        open(user, new PaperMarket(false, Fraction.ONE, Set.of()));
        place(user, "waiting");

        assertThat(read(user, OrdersNeeded.OPEN).orders()).containsOnlyKeys("waiting");
        assertThat(read(user, new OrdersNeeded(Long.MAX_VALUE, "first")).orders())
                .containsOnlyKeys("first", "waiting");
        assertThat(read(user, new OrdersNeeded(revision, "")).orders()).containsOnlyKeys("second", "waiting");
        assertThat(read(user, new OrdersNeeded(0, "")).orders()).containsOnlyKeys("first", "second", "waiting");
        assertThat(read(user, new OrdersNeeded(0, "")).orders().get("first").state())
                .isEqualTo(new OrderState.Filled());
    }

    @Test
    default void a_change_that_fails_writes_nothing() {
        UserId user = StoreSamples.user();
        open(user, PaperMarket.OPEN);
        PaperBook before = read(user, OrdersNeeded.OPEN);

        assertThatThrownBy(() -> books().change(user, "paper", OrdersNeeded.OPEN, book -> {
                    throw new IllegalStateException("No.");
                }))
                .hasMessageContaining("No.");

        assertThat(read(user, OrdersNeeded.OPEN)).isEqualTo(before);
    }

    @Test
    default void changes_of_one_book_happen_one_at_a_time() throws Exception {
        UserId user = StoreSamples.user();
        open(user, PaperMarket.OPEN);
        ExecutorService both = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Boolean>> orders = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                PaperBooks node = i % 2 == 0 ? books() : otherNode();
                String id = "order-" + i / 2;
                orders.add(() -> place(node, user, id));
            }
            for (Future<Boolean> done : both.invokeAll(orders)) {
                done.get();
            }
        } finally {
            both.shutdownNow();
        }

        PaperBook after = read(user, new OrdersNeeded(0, ""));
        assertThat(after.orders()).hasSize(10);
        assertThat(after.cash()).isEqualTo(Usd.of(9_000));
    }

    @Test
    default void a_deleted_book_does_not_exist_and_takes_its_orders_with_it() {
        UserId user = StoreSamples.user();
        open(user, PaperMarket.OPEN);
        place(user, "first");

        assertThat(books().delete(user, "paper")).isTrue();

        assertThat(read(user, new OrdersNeeded(0, "first"))).isEqualTo(PaperBook.none("paper"));
        assertThat(books().all(100_000)).doesNotContain(new BookRef(user, "paper"));
    }

    @Test
    default void the_books_of_all_users_are_listed() {
        UserId user = StoreSamples.user();
        open(user, PaperMarket.OPEN);

        assertThat(otherNode().all(100_000)).contains(new BookRef(user, "paper"));
        assertThat(otherNode().all(1)).hasSize(1);
    }

    private void open(UserId user, PaperMarket market) {
        books().change(
                        user,
                        "paper",
                        OrdersNeeded.OPEN,
                        book -> new Changed<>(PaperMatching.replace(book, setup(market)), true));
    }

    private boolean place(UserId user, String id) {
        return place(books(), user, id);
    }

    private static boolean place(PaperBooks books, UserId user, String id) {
        Order order = new Order(
                id,
                user,
                "paper",
                CustodianKind.PAPER,
                Action.BUY,
                BTC,
                AssetType.CRYPTO,
                Usd.of(100),
                null,
                null,
                Usd.of(1_000_000));
        return books.change(
                user,
                "paper",
                new OrdersNeeded(Long.MAX_VALUE, id),
                book -> new Changed<>(PaperMatching.place(book, order, MONDAY), true));
    }

    private PaperBook read(UserId user, OrdersNeeded orders) {
        return otherNode().change(user, "paper", orders, book -> new Changed<>(book, book));
    }

    private static PaperSetup setup(PaperMarket market) {
        Position btc = new Position(BTC, AssetType.CRYPTO, new BigDecimal("0.5"), Usd.of("65000.01"));
        CustodianHoldings holdings =
                new CustodianHoldings("paper", "Paper é", CustodianKind.PAPER, MONDAY, 1, Usd.of(10_000), List.of(btc));
        return new PaperSetup(holdings, Map.of(ETH, Usd.of("2500.5")), market);
    }
}
