package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.TestPostgres;
import java.nio.file.Path;

/** The databases a service runs on, real ones. */
enum Database {
    H2 {
        @Override
        String fresh(Path folder) {
            return "jdbc:h2:file:" + folder.resolve("policy").toAbsolutePath();
        }
    },
    POSTGRES {
        @Override
        String fresh(Path folder) {
            return TestPostgres.freshDatabase();
        }
    };

    /** The address of an empty one. */
    abstract String fresh(Path folder);
}
