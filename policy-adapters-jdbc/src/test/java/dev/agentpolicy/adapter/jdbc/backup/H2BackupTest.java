package dev.agentpolicy.adapter.jdbc.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.backup.H2Backup.BackupFailed;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contents of a backup of an H2 file (docs/operations.md, Backup). */
class H2BackupTest {
    @TempDir
    private Path folder;

    private DatabaseConfig config;

    @BeforeEach
    void aDatabase() throws SQLException {
        config = TestStores.config(TestStores.h2(folder), new SettableClock(StoreSamples.START));
        JdbcStore.open(config).close();
        mark("before");
    }

    @Test
    void rows_committed_during_the_export_are_not_exported() throws Exception {
        Path script = folder.resolve("script.sql");
        try (Connection connection = connect()) {
            H2Backup.export(connectionThatFirst(() -> mark("meanwhile"), connection), script);
        }

        assertThat(Files.readString(script)).contains("'before'").doesNotContain("'meanwhile'");
    }

    @Test
    void an_existing_file_is_never_overwritten() throws Exception {
        Path taken = Files.writeString(folder.resolve("taken"), "mine");
        try (Connection connection = connect()) {
            assertThatExceptionOfType(BackupFailed.class)
                    .isThrownBy(() -> H2Backup.export(connection, taken))
                    .withMessageContaining("already");
        }

        assertThat(taken).hasContent("mine");
    }

    @Test
    void a_copy_has_the_rows_of_the_original_and_its_file_opens_by_itself() throws Exception {
        Path target = folder.resolve("copy.mv.db");

        H2Backup.Contents contents = H2Backup.of(config).write(target, script -> false);

        assertThat(contents).isEqualTo(new H2Backup.Contents(0, 0));
        String copy = "jdbc:h2:file:" + folder.resolve("copy");
        assertThat(TestStores.number(copy, "SELECT count(*) FROM lease WHERE name = 'before'"))
                .isEqualTo(1);
        JdbcStore.open(TestStores.config(copy, new SettableClock(StoreSamples.START)))
                .close();
    }

    private void mark(String name) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO lease(name, holder, held_until) VALUES ('" + name
                    + "', random_uuid(), current_timestamp)");
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(Dialect.of(config.url()).url(config.url()), "sa", "");
    }

    /** Runs between two statements of the export. */
    private interface Meanwhile {
        void happen() throws SQLException;
    }

    private static Connection connectionThatFirst(Meanwhile meanwhile, Connection connection) {
        return (Connection) proxy(Connection.class, (proxy, method, arguments) -> {
            Object answer = invoke(() -> method.invoke(connection, arguments));
            return answer instanceof Statement statement ? statementThatFirst(meanwhile, statement) : answer;
        });
    }

    private static Statement statementThatFirst(Meanwhile meanwhile, Statement statement) {
        return (Statement) proxy(Statement.class, (proxy, method, arguments) -> {
            if (arguments != null && arguments[0] instanceof String sql && sql.startsWith("SCRIPT")) {
                meanwhile.happen();
            }
            return invoke(() -> method.invoke(statement, arguments));
        });
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(H2BackupTest.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    private interface Call {
        Object make() throws ReflectiveOperationException;
    }

    private static Object invoke(Call call) throws Throwable {
        try {
            return call.make();
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }
}
