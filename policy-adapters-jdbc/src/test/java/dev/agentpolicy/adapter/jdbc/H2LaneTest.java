package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.commit.LaneTests;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
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
    public String url() {
        return TestStores.h2(folder);
    }

    @Override
    public String url(JdbcStore open) {
        return url();
    }

    @Override
    public void execute(String sql) {
        try (Connection connection =
                        DriverManager.getConnection(Dialect.of(url()).url(url()), "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
