package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.connect.Pools.ConnectionSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Connections of the lanes that break on demand. */
public final class FaultyWire implements UnaryOperator<ConnectionSource> {
    private static final String CONNECTION_LOST = "08006";

    private static final Set<String> COMMITTING = Set.of("execute", "executeUpdate");

    private final AtomicInteger lostAfterCommit = new AtomicInteger();
    private final AtomicInteger lostBeforeCommit = new AtomicInteger();
    private final AtomicInteger refusedConnections = new AtomicInteger();
    private final AtomicInteger locks = new AtomicInteger();

    /** The next commit happens, but its answer is lost. */
    public void loseAnswerOfNextCommit() {
        lostAfterCommit.set(1);
    }

    /** The next commit never arrives. */
    public void loseNextCommit() {
        lostBeforeCommit.set(1);
    }

    public void refuseConnections(int count) {
        refusedConnections.set(count);
    }

    @Override
    public ConnectionSource apply(ConnectionSource real) {
        return () -> {
            if (took(refusedConnections)) {
                throw new SQLTransientConnectionException("The wire is cut.", CONNECTION_LOST);
            }
            return connection(real.getConnection());
        };
    }

    /** How often accounts were locked before anything else was done. */
    public int locks() {
        return locks.get();
    }

    private Connection connection(Connection real) {
        return proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("commit")) {
                return committing(method, real, real, arguments);
            }
            Object made = call(method, real, arguments);
            if (!method.getName().equals("prepareStatement")) {
                return made;
            }
            String sql = (String) arguments[0];
            locks.addAndGet(sql.contains("FOR UPDATE") ? 1 : 0);
            boolean commits = real.getAutoCommit() || sql.endsWith("COMMIT");
            return commits ? statement(real, (PreparedStatement) made) : made;
        });
    }

    private PreparedStatement statement(Connection connection, PreparedStatement real) {
        return proxy(
                PreparedStatement.class,
                (method, arguments) -> COMMITTING.contains(method.getName())
                        ? committing(method, connection, real, arguments)
                        : call(method, real, arguments));
    }

    private Object committing(Method method, Connection connection, Object real, Object[] arguments) throws Throwable {
        if (took(lostBeforeCommit)) {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            throw new SQLException("The wire was cut before the commit.", CONNECTION_LOST);
        }
        Object made = call(method, real, arguments);
        if (took(lostAfterCommit)) {
            throw new SQLException("The wire was cut after the commit.", CONNECTION_LOST);
        }
        return made;
    }

    private static boolean took(AtomicInteger left) {
        return left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    private static <T> T proxy(Class<T> type, Behaviour behaviour) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> behaviour.call(method, arguments)));
    }

    private static Object call(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }

    private interface Behaviour {
        Object call(Method method, Object[] arguments) throws Throwable;
    }
}
