package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import dev.agentpolicy.domain.request.OrderResult.Filled;
import dev.agentpolicy.domain.request.OrderResult.NotFilled;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The contract of {@link PaperBooks}. */
public interface PaperBooksContract {
    Instant MONDAY = Instant.parse("2026-11-16T08:00:00.000001Z");
    AssetSymbol BTC = new AssetSymbol("BTC");
    AssetSymbol SPY = new AssetSymbol("SPY");

    PaperBooks books();

    /** The same books on another node. */
    PaperBooks otherNode();

    @Test
    default void an_order_is_executed_once_and_always_returns_the_same_result() {
        UserId user = userWithBook();
        BookPriceFill fill = new BookPriceFill();
        Order order = buy(user, "request-7-1", "0.5");

        OrderResult first = books().settle(order, fill.of(order));
        OrderResult again = otherNode().settle(order, fill.of(order));

        assertThat(first).isInstanceOf(Filled.class);
        assertThat(again).isEqualTo(first);
        assertThat(fill.timesAsked()).isEqualTo(1);
        assertThat(holdings(user)).isEqualTo(((Filled) first).holdings());
    }

    @Test
    default void a_refusal_changes_nothing_and_is_stored_too() {
        UserId user = userWithBook();
        CustodianHoldings before = holdings(user);
        BookPriceFill fill = new BookPriceFill();
        Order order = buy(user, "request-8-1", "1000000");

        OrderResult refused = books().settle(order, fill.of(order));
        books().replace(user, rich());

        assertThat(refused).isInstanceOf(NotFilled.class);
        assertThat(otherNode().settle(order, fill.of(order))).isEqualTo(refused);
        assertThat(fill.timesAsked()).isEqualTo(1);
        assertThat(holdings(user).revision()).isEqualTo(before.revision() + 1);
    }

    @Test
    default void an_order_without_a_book_is_refused_and_the_book_can_be_opened_later() {
        UserId user = new UserId(UUID.randomUUID());
        Order order = buy(user, "request-9-1", "1");

        assertThat(books().settle(order, new BookPriceFill().of(order))).isInstanceOf(NotFilled.class);
        assertThat(books().replace(user, book()).revision()).isEqualTo(1);
        assertThat(holdings(user)).isEqualTo(book());
    }

    @Test
    default void every_replacement_has_a_higher_revision() {
        UserId user = new UserId(UUID.randomUUID());
        Order order = buy(user, "request-10-1", "0.1");

        assertThat(books().replace(user, book()).revision()).isEqualTo(1);
        assertThat(otherNode().replace(user, book()).revision()).isEqualTo(2);
        books().settle(order, new BookPriceFill().of(order));
        assertThat(books().replace(user, book()).revision()).isEqualTo(4);
    }

    @Test
    default void each_user_and_custodian_has_its_own_book_and_orders() {
        UserId one = userWithBook();
        UserId two = userWithBook();
        Order order = buy(one, "request-11-1", "1");
        Order sameName = buy(two, "request-11-1", "2");

        books().settle(order, new BookPriceFill().of(order));
        books().settle(sameName, new BookPriceFill().of(sameName));

        assertThat(holdings(one).cash()).isEqualTo(Usd.of("9000"));
        assertThat(holdings(two).cash()).isEqualTo(Usd.of("8000"));
    }

    @Test
    default void an_execution_that_fails_halfway_leaves_no_trace() {
        UserId user = userWithBook();
        CustodianHoldings before = holdings(user);
        BookPriceFill fill = new BookPriceFill();
        Order order = buy(user, "request-12-1", "1");

        assertThatThrownBy(() -> books().settle(order, book -> {
                    fill.of(order).apply(book);
                    throw new IllegalStateException("The power went.");
                }))
                .hasMessageContaining("The power went.");

        assertThat(holdings(user)).isEqualTo(before);
        assertThat(otherNode().settle(order, fill.of(order))).isInstanceOf(Filled.class);
        assertThat(holdings(user).cash()).isEqualTo(Usd.of("9000"));
    }

    @Test
    default void one_order_placed_40_times_at_once_on_two_nodes_is_filled_once() throws Exception {
        UserId user = userWithBook();
        Order order = buy(user, "request-13-1", "1");
        List<Callable<OrderResult>> placing = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            PaperBooks node = i % 2 == 0 ? books() : otherNode();
            placing.add(() -> node.settle(order, new BookPriceFill().of(order)));
        }

        List<OrderResult> answers = atOnce(placing);

        assertThat(answers).hasSize(40).containsOnly(answers.get(0));
        assertThat(holdings(user)).isEqualTo(((Filled) answers.get(0)).holdings());
        assertThat(holdings(user).cash()).isEqualTo(Usd.of("9000"));
    }

    @Test
    default void forty_different_orders_placed_at_once_on_two_nodes_are_all_filled() throws Exception {
        UserId user = userWithBook();
        List<Callable<OrderResult>> placing = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            PaperBooks node = i % 2 == 0 ? books() : otherNode();
            Order order = buy(user, "request-14-" + i, "0.1");
            placing.add(() -> node.settle(order, new BookPriceFill().of(order)));
        }

        assertThat(atOnce(placing)).hasOnlyElementsOfType(Filled.class);
        assertThat(holdings(user).cash()).isEqualTo(Usd.of("6000"));
        assertThat(holdings(user).revision()).isEqualTo(41);
    }

    @Test
    default void a_book_opened_40_times_at_once_gets_40_revisions() throws Exception {
        UserId user = new UserId(UUID.randomUUID());
        List<Callable<Long>> opening = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            PaperBooks node = i % 2 == 0 ? books() : otherNode();
            opening.add(() -> node.replace(user, book()).revision());
        }

        assertThat(atOnce(opening)).doesNotHaveDuplicates().contains(1L, 40L);
    }

    @Test
    default void cash_and_positions_stay_exact() {
        long seed = System.nanoTime();
        System.out.println("seed of cash_and_positions_stay_exact: " + seed);
        Random random = new Random(seed);
        UserId user = new UserId(UUID.randomUUID());
        CustodianHoldings book = book("0.12345678", "511.00000001");
        books().replace(user, book);
        int filled = 0;
        for (int i = 0; i < 500; i++) {
            Order order = random(user, i, random);
            OrderResult settlement = books().settle(order, new BookPriceFill().of(order));
            filled += settlement instanceof Filled ? 1 : 0;
        }

        assertThat(filled).isBetween(50, 499);
        assertThat(holdings(user).revision()).isEqualTo(1 + filled);
        assertThat(holdings(user).total()).isEqualTo(book.total());
    }

    private static Order random(UserId user, int i, Random random) {
        boolean isBtc = random.nextBoolean();
        BigInteger units = new BigInteger(isBtc ? 77 : 64, random);
        return new Order(
                "law-" + i,
                user,
                "main",
                random.nextBoolean() ? Action.BUY : Action.SELL,
                isBtc ? BTC : SPY,
                isBtc ? AssetType.CRYPTO : AssetType.TRADFI,
                null,
                new BigDecimal(units, 18),
                null);
    }

    private UserId userWithBook() {
        UserId user = new UserId(UUID.randomUUID());
        books().replace(user, book());
        return user;
    }

    /** What the book holds when an order is executed. */
    private CustodianHoldings holdings(UserId user) {
        Order looking = buy(user, "look-" + UUID.randomUUID(), "1");
        List<CustodianHoldings> seen = new ArrayList<>();
        otherNode().settle(looking, book -> {
            seen.add(book.orElseThrow());
            return new NotFilled("Only looking.");
        });
        return seen.get(seen.size() - 1);
    }

    private static CustodianHoldings book() {
        return book("1000", "500");
    }

    private static CustodianHoldings book(String priceOfBtc, String priceOfSpy) {
        return new CustodianHoldings(
                "main",
                "My broker",
                CustodianHoldings.CustodianKind.PAPER,
                MONDAY,
                1,
                Usd.of(10_000),
                List.of(
                        new Position(BTC, AssetType.CRYPTO, new BigDecimal("2"), Usd.of(priceOfBtc)),
                        new Position(SPY, AssetType.TRADFI, new BigDecimal("10"), Usd.of(priceOfSpy))));
    }

    private static CustodianHoldings rich() {
        return new CustodianHoldings(
                "main",
                "My broker",
                CustodianHoldings.CustodianKind.PAPER,
                MONDAY,
                1,
                Usd.of("1000000000000"),
                List.of());
    }

    private static Order buy(UserId user, String name, String quantity) {
        return new Order(name, user, "main", Action.BUY, BTC, AssetType.CRYPTO, null, new BigDecimal(quantity), null);
    }

    private static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(calls.size());
        try {
            List<T> answers = new ArrayList<>();
            for (Future<T> answer : callers.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            callers.shutdownNow();
        }
    }
}
