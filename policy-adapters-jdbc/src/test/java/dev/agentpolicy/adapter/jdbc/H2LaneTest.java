package dev.agentpolicy.adapter.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.io.TempDir;

/** Group commit on H2 in a file. */
class H2LaneTest extends LaneTests {
    @TempDir
    static Path folder;

    @Override
    String url() {
        return TestStores.h2(folder);
    }

    @Override
    String url(JdbcStore open) {
        return url();
    }

    @Override
    void execute(String sql) {
        try (Connection connection =
                        DriverManager.getConnection(Dialect.of(url()).url(url()), "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
