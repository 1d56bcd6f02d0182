package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The databases that the service supports. */
public enum Database {
    H2 {
        @Override
        public String fresh(Path folder) {
            return "jdbc:h2:file:" + folder.resolve("policy").toAbsolutePath();
        }

        @Override
        public Runnable backUp(Path folder, String url) {
            Path file = folder.resolve("policy.mv.db");
            Path copy = folder.resolve("policy.backup");
            copy(file, copy);
            return () -> copy(copy, file);
        }
    },
    POSTGRES {
        @Override
        public String fresh(Path folder) {
            return TestPostgres.freshDatabase();
        }

        @Override
        public Runnable backUp(Path folder, String url) {
            return TestPostgres.backUp(url);
        }
    };

    /** The address of an empty one. */
    public abstract String fresh(Path folder);

    /** Copies the files of a database that is not in use; the result restores them. */
    public abstract Runnable backUp(Path folder, String url);

    private static void copy(Path from, Path to) {
        try {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
