package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.log.PageCacheTests;

/** PostgreSQL keeps the contracts. */
class PostgresContractsTest extends PageCacheTests {

    @Override
    String url() {
        return TestPostgres.freshDatabase();
    }
}
