package dev.agentpolicy.adapter.jdbc.sql;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;

/**
 * How one pool of connections is used at the moment.
 *
 * @param name of the pool
 * @param most connections it may have
 * @param active connections somebody works with
 * @param idle connections that wait for work
 * @param waiting threads that wait for a connection
 */
public record PoolState(String name, int most, int active, int idle, int waiting) {

    static PoolState of(HikariDataSource source) {
        HikariPoolMXBean pool = source.getHikariPoolMXBean();
        return new PoolState(
                source.getPoolName(),
                source.getMaximumPoolSize(),
                pool.getActiveConnections(),
                pool.getIdleConnections(),
                pool.getThreadsAwaitingConnection());
    }
}
