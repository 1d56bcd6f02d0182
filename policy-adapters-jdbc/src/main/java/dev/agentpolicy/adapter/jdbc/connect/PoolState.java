package dev.agentpolicy.adapter.jdbc.connect;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;

/**
 * The present use of a pool of connections.
 *
 * @param name of the pool
 * @param most how many connections it may have
 * @param active how many connections are in use
 * @param idle how many connections are free
 * @param waiting how many threads wait for a connection
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
