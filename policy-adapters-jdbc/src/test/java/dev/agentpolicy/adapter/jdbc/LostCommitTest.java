package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.dialect.PostgresDialect;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.store.JdbcPaperBooks;
import dev.agentpolicy.adapter.jdbc.usage.UsageFlush;
import dev.agentpolicy.adapter.jdbc.usage.UsageFlush.CallBuffer;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMatching;
import dev.agentpolicy.domain.port.CallLogContract;
import dev.agentpolicy.domain.port.PaperBooks;
import dev.agentpolicy.domain.port.PaperBooks.Changed;
import dev.agentpolicy.domain.port.PaperBooks.OrdersNeeded;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usage.CallRecord;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What books and usage make of a COMMIT whose answer never came, on a real PostgreSQL. */
class LostCommitTest {
    private static final InstantSource CLOCK = InstantSource.fixed(CallLogContract.NOON);
    private static final LocalDate TODAY = CallLogContract.TODAY;

    private enum Fate {
        CARRIED_OUT,
        NEVER_ARRIVED
    }

    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private JdbcStore store;
    private Fate next;

    @BeforeEach
    void open() {
        String url = TestPostgres.freshDatabase();
        store = JdbcStore.open(TestStores.config(url, CLOCK));
        database.setURL(url);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @EnumSource(Fate.class)
    void calls_are_counted_once_after_a_lost_answer(Fate fate) {
        UserId user = new UserId(UUID.randomUUID());
        CallBuffer buffer = new CallBuffer();
        UsageFlush flush = new UsageFlush(buffer, faulty(), CLOCK);
        note(buffer, user, 3);
        flush.everything();
        note(buffer, user, 4);

        next = fate;
        assertThatThrownBy(flush::everything).isInstanceOf(Unavailable.class);
        note(buffer, user, 5);
        flush.everything();

        assertThat(store.callLog().report(user, TODAY, TODAY).totals().total()).isEqualTo(12);
        assertThat(store.callLog().report(user, TODAY, TODAY).topPaths().get(0).count())
                .isEqualTo(12);
    }

    @ParameterizedTest
    @EnumSource(Fate.class)
    void a_paper_order_is_filled_once_after_a_lost_answer(Fate fate) {
        UserId user = new UserId(UUID.randomUUID());
        StoreSamples.replace(store.paperBooks(), user, "1000");
        Order order = new Order(
                "request-1-1",
                user,
                "paper",
                CustodianKind.PAPER,
                Action.BUY,
                new AssetSymbol("BTC"),
                AssetType.CRYPTO,
                Usd.of(65),
                null,
                null,
                Usd.of(1_000_000));

        next = fate;
        change(new JdbcPaperBooks(reads(), faulty()), user, book -> PaperMatching.place(book, order, CLOCK.instant()));

        PaperBook after = change(store.paperBooks(), user, book -> book);
        assertThat(after.orders()).containsOnlyKeys("request-1-1");
        assertThat(after.cash()).isEqualTo(Usd.of(935));
    }

    @ParameterizedTest
    @EnumSource(Fate.class)
    void a_paper_book_is_replaced_after_a_lost_answer(Fate fate) {
        UserId user = new UserId(UUID.randomUUID());

        next = fate;
        StoreSamples.replace(new JdbcPaperBooks(reads(), faulty()), user, "7");

        assertThat(change(store.paperBooks(), user, book -> book).cash()).isEqualTo(Usd.of(7));
    }

    private static PaperBook change(PaperBooks books, UserId user, UnaryOperator<PaperBook> change) {
        return books.change(user, "paper", new OrdersNeeded(0, ""), book -> {
            PaperBook after = change.apply(book);
            return new Changed<>(after, after);
        });
    }

    private Reads reads() {
        return new Reads(database::getConnection, new PostgresDialect(), Optional::empty);
    }

    private static void note(CallBuffer buffer, UserId user, int calls) {
        for (int i = 0; i < calls; i++) {
            buffer.add(new CallRecord(user, CallLogContract.KEY, "/a", 200, 1_000, CallLogContract.NOON));
        }
    }

    private Transactions faulty() {
        return new Transactions(() -> faulty(database.getConnection()), new PostgresDialect(), Optional::empty);
    }

    private Connection faulty(Connection real) {
        return proxy(Connection.class, (self, method, arguments) -> {
            if (method.getName().equals("commit") && next != null) {
                Fate fate = next;
                next = null;
                if (fate == Fate.CARRIED_OUT) {
                    real.commit();
                }
                real.close();
                throw new SQLException("The wire was cut.", "08006");
            }
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException failed) {
                throw failed.getCause();
            }
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler behaviour) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, behaviour));
    }
}
