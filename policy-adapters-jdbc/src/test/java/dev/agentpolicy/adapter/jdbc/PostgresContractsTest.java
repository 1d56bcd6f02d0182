package dev.agentpolicy.adapter.jdbc;

/** PostgreSQL keeps the contracts. */
class PostgresContractsTest extends KnownPageTests {

    @Override
    String url() {
        return TestPostgres.freshDatabase();
    }
}
