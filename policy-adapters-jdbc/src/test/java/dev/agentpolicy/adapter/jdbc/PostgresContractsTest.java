package dev.agentpolicy.adapter.jdbc;

/** PostgreSQL keeps the contracts. */
class PostgresContractsTest extends StoreContracts {

    @Override
    String url() {
        return TestPostgres.freshDatabase();
    }
}
