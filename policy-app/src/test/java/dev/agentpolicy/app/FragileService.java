package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.MortalPostgres;
import dev.agentpolicy.app.guard.CutConnection;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** A running service with a PostgreSQL and a network of its own, which a test may break. */
record FragileService(MortalPostgres postgres, CutConnection wire, ServiceNode node) implements AutoCloseable {

    static FragileService start(Path folder) throws Exception {
        MortalPostgres postgres = new MortalPostgres(Files.createDirectory(folder.resolve("postgres")));
        String address = postgres.url().substring("jdbc:".length());
        CutConnection wire = new CutConnection(URI.create(address).getPort());
        String throughTheWire = address.replaceFirst("//[^/]+/", "//127.0.0.1:" + wire.port() + "/");
        return new FragileService(postgres, wire, ServiceNode.start(folder, "jdbc:" + throughTheWire));
    }

    @Override
    public void close() throws IOException {
        wire.mend();
        node.close();
        wire.close();
        postgres.close();
    }

    /** How the database goes away, and how it comes back. */
    enum Fault {
        KILLED {
            @Override
            void begin(FragileService service) throws Exception {
                service.postgres.kill();
            }

            @Override
            void end(FragileService service) throws Exception {
                service.postgres.restart();
            }
        },
        STOPPED_AT_ONCE {
            @Override
            void begin(FragileService service) throws Exception {
                service.postgres.stopAtOnce();
            }

            @Override
            void end(FragileService service) throws Exception {
                service.postgres.restart();
            }
        },
        CUT {
            @Override
            void begin(FragileService service) {
                service.wire.cut();
            }
        },
        CUT_AFTER_A_COMMIT {
            @Override
            void begin(FragileService service) {
                service.wire.cutAfterCommit();
            }
        },
        SILENT {
            @Override
            void begin(FragileService service) {
                service.wire.silence();
            }
        };

        abstract void begin(FragileService service) throws Exception;

        void end(FragileService service) throws Exception {
            service.wire.mend();
        }
    }
}
