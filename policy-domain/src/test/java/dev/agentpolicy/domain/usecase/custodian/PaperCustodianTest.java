package dev.agentpolicy.domain.usecase.custodian;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMarket;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.CustodianContract;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.port.PaperBooks;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The paper custodian does what every custodian must do. */
class PaperCustodianTest implements CustodianContract {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00.000001Z");
    private static final UserId USER = new UserId(new UUID(1, 2));

    private final UnreliableBooks books = new UnreliableBooks();
    private final PaperCustodian paper = new PaperCustodian(books, InstantSource.fixed(NOON));

    /** Books whose commits can succeed without being confirmed. */
    private static final class UnreliableBooks implements PaperBooks {
        private final InMemoryPaperBooks books = new InMemoryPaperBooks();
        private boolean losesAnswer;

        @Override
        public <R> R change(
                UserId user, String custodian, OrdersNeeded orders, Function<PaperBook, Changed<R>> change) {
            R result = books.change(user, custodian, orders, change);
            if (losesAnswer) {
                losesAnswer = false;
                throw new Unavailable("The line to the database broke.");
            }
            return result;
        }

        @Override
        public PaperBook find(UserId user, String custodian) {
            return books.find(user, custodian);
        }

        @Override
        public boolean delete(UserId user, String custodian) {
            return books.delete(user, custodian);
        }

        @Override
        public List<BookRef> all(int limit) {
            return books.all(limit);
        }
    }

    @BeforeEach
    void hold() {
        set(PaperMarket.OPEN);
    }

    /** Sets the market, and holdings as they are or, at first, as the contract wants them. */
    private void set(PaperMarket market) {
        PaperBook book = books.books.book(USER, id());
        List<Position> positions = book.exists()
                ? book.positions()
                : List.of(new Position(BTC, AssetType.CRYPTO, BigDecimal.ONE, Usd.of(30_000)));
        Usd cash = book.exists() ? book.cash() : Usd.of(10_000);
        CustodianHoldings holdings =
                new CustodianHoldings(id(), "Broker", CustodianKind.PAPER, NOON, 1, cash, positions);
        paper.replace(USER, new PaperSetup(holdings, Map.of(SPY, Usd.of(500)), market));
    }

    @Override
    public Custodian custodian() {
        return paper;
    }

    @Override
    public UserId user() {
        return USER;
    }

    @Override
    public String id() {
        return "paper";
    }

    @Override
    public CustodianKind kind() {
        return CustodianKind.PAPER;
    }

    @Override
    public void closeMarket() {
        set(new PaperMarket(false, Fraction.ONE, Set.of()));
    }

    @Override
    public void openMarket() {
        set(PaperMarket.OPEN);
    }

    @Override
    public void movePrice(String usd) {
        PaperBook book = books.books.book(USER, id());
        List<Position> positions = book.positions().stream()
                .map(held -> held.symbol().equals(BTC)
                        ? new Position(BTC, AssetType.CRYPTO, held.quantity(), Usd.of(usd))
                        : held)
                .toList();
        CustodianHoldings holdings =
                new CustodianHoldings(id(), "Broker", CustodianKind.PAPER, NOON, 1, book.cash(), positions);
        paper.replace(USER, new PaperSetup(holdings, Map.of(SPY, Usd.of(500)), book.market()));
    }

    @Override
    public void fillHalf() {
        set(new PaperMarket(true, new Fraction(new BigDecimal("0.5")), Set.of()));
    }

    @Override
    public void loseNextAnswer() {
        books.losesAnswer = true;
    }

    @Override
    public void buyOneSpyElsewhere() {
        paper.place(new Order(
                "user-1",
                USER,
                id(),
                kind(),
                Action.BUY,
                SPY,
                AssetType.TRADFI,
                null,
                BigDecimal.ONE,
                Usd.of(500),
                null));
    }

    @Override
    public boolean orderSpyElsewhere() {
        return false;
    }

    @Test
    void a_custodian_that_does_not_exist_refuses_everything() {
        Order order = new Order(
                "request-1",
                USER,
                "none",
                kind(),
                Action.BUY,
                SPY,
                AssetType.TRADFI,
                Usd.of(1),
                null,
                null,
                Usd.of(1_000_000));
        SyncQuery query = new SyncQuery(USER, "none", "None", kind(), 0, Instant.EPOCH, List.of());

        assertRefused(() -> paper.place(order), "There is no custodian none.");
        assertRefused(() -> paper.cancel(order), "There is no such order.");
        assertRefused(() -> paper.sync(query), "There is no custodian none.");
        assertThat(paper.delete(USER, "none")).isFalse();
        assertThat(books.all(10)).extracting(PaperBooks.BookRef::custodian).containsExactly(id());
    }

    @Test
    void a_custodian_that_was_deleted_does_not_exist_any_more() {
        assertThat(paper.delete(USER, id())).isTrue();

        SyncQuery query = new SyncQuery(USER, id(), "Broker", kind(), 0, Instant.EPOCH, List.of());
        assertRefused(() -> paper.sync(query), "There is no custodian paper.");
    }

    @Test
    void an_asset_without_a_price_is_not_traded() {
        Order order = new Order(
                "request-1",
                USER,
                id(),
                kind(),
                Action.BUY,
                NOPE,
                AssetType.CRYPTO,
                Usd.of(1),
                null,
                null,
                Usd.of(1_000_000));

        assertRefused(() -> paper.place(order), "The paper custodian has no price for NOPE; give it one.");
    }

    @Test
    void replacing_fills_the_orders_that_the_new_market_fills() {
        closeMarket();
        Order order = new Order(
                "request-1",
                USER,
                id(),
                kind(),
                Action.BUY,
                SPY,
                AssetType.TRADFI,
                Usd.of(500),
                null,
                null,
                Usd.of(1_000_000));
        paper.place(order);

        openMarket();

        assertThat(books.books.book(USER, id()).cash()).isEqualTo(Usd.of(9_500));
    }

    private static void assertRefused(ThrowingCallable call, String reason) {
        assertThatExceptionOfType(CustodianFailure.class)
                .isThrownBy(call)
                .withMessage(reason)
                .matches(CustodianFailure::isRefusal);
    }
}
