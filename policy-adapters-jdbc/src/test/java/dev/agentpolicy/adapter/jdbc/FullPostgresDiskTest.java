package dev.agentpolicy.adapter.jdbc;

import java.io.IOException;

/** The disk of a PostgreSQL server is full. */
class FullPostgresDiskTest extends FullDiskTests {

    @Override
    int size() {
        return 160;
    }

    @Override
    Running database(SmallDisk disk) throws IOException {
        MortalPostgres server = new MortalPostgres(disk.root());
        return new Running() {
            @Override
            public String url() {
                return server.url();
            }

            @Override
            public void close() throws IOException {
                server.close();
            }
        };
    }
}
