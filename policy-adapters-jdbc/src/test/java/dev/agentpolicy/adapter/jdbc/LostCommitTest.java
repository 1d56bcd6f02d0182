package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.dialect.PostgresDialect;
import dev.agentpolicy.adapter.jdbc.store.JdbcPaperBooks;
import dev.agentpolicy.adapter.jdbc.usage.CallBuffer;
import dev.agentpolicy.adapter.jdbc.usage.UsageFlush;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.CallLogContract;
import dev.agentpolicy.domain.port.PaperBooks;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import dev.agentpolicy.domain.request.OrderResult.NotFilled;
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
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What books and usage make of a COMMIT whose answer never came, on a real PostgreSQL. */
class LostCommitTest {
    private static final InstantSource CLOCK = InstantSource.fixed(CallLogContract.NOON);
    private static final LocalDate TODAY = CallLogContract.TODAY;

    private static final CustodianHoldings BOOK = new CustodianHoldings(
            "main", "My broker", CustodianHoldings.CustodianKind.PAPER, CallLogContract.NOON, 1, Usd.of(7), List.of());

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
    void an_order_is_settled_once_after_a_lost_answer(Fate fate) {
        UserId user = new UserId(UUID.randomUUID());
        PaperBooks books = new JdbcPaperBooks(faulty(), CLOCK);
        books.replace(user, BOOK);
        Order order = order(user);
        OrderResult first = new NotFilled("First.");
        OrderResult second = new NotFilled("Second.");

        next = fate;
        assertThat(books.settle(order, any -> first)).isEqualTo(first);

        assertThat(books.settle(order, any -> second)).isEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(Fate.class)
    void holdings_are_replaced_after_a_lost_answer(Fate fate) {
        UserId user = new UserId(UUID.randomUUID());
        PaperBooks books = new JdbcPaperBooks(faulty(), CLOCK);

        next = fate;
        CustodianHoldings told = books.replace(user, BOOK);

        store.paperBooks().settle(order(user), book -> {
            assertThat(book).contains(told);
            return new NotFilled("Only looked at.");
        });
        assertThat(told.cash()).isEqualTo(BOOK.cash());
    }

    private static Order order(UserId user) {
        return new Order(
                "request-1-1",
                user,
                "main",
                Action.BUY,
                new AssetSymbol("BTC"),
                AssetType.CRYPTO,
                Usd.of(1),
                null,
                null);
    }

    private static void note(CallBuffer buffer, UserId user, int calls) {
        for (int i = 0; i < calls; i++) {
            buffer.add(new CallRecord(user, CallLogContract.KEY, "/a", 200, 1_000, CallLogContract.NOON));
        }
    }

    private Transactions faulty() {
        return new Transactions(
                proxy(DataSource.class, (self, method, arguments) -> faulty(database.getConnection())),
                new PostgresDialect(),
                Optional::empty);
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
