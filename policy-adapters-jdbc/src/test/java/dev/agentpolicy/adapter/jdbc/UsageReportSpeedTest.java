package dev.agentpolicy.adapter.jdbc;

import static dev.agentpolicy.domain.port.CallLogContract.NOON;
import static dev.agentpolicy.domain.port.CallLogContract.TODAY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.usage.JdbcCallLog;
import dev.agentpolicy.adapter.jdbc.usage.UsageAccumulator.LatencySketch;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.CallLog;
import dev.agentpolicy.domain.usage.UsageReport;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Measures a usage report of 30 days after 100 million calls of one user, and prints the median. */
@EnabledIfSystemProperty(named = "experiments", matches = "long")
class UsageReportSpeedTest {
    private static final UserId USER = new UserId(new UUID(7, 7));
    private static final int DAYS = 30;
    private static final int KEYS = 100;
    private static final int PATHS = 14;
    private static final int READS = 20;
    private static final int MAX_MEASUREMENTS = 60;
    private static final long LIMIT_MICROS = 20_000;
    private static final long CALLS = 100_000_000;

    @TempDir
    Path folder;

    @Test
    void on_h2_the_median_is_below_20_ms() throws Exception {
        isReadFast("H2", TestStores.h2(folder), "sa");
    }

    @Test
    void on_postgresql_the_median_is_below_20_ms() throws Exception {
        isReadFast("PostgreSQL", TestPostgres.freshDatabase(), null);
    }

    private static void isReadFast(String name, String url, String user) throws SQLException {
        try (JdbcStore store = JdbcStore.open(TestStores.config(url, InstantSource.fixed(NOON)))) {
            try (Connection connection = DriverManager.getConnection(url, user, user == null ? null : "")) {
                fill(connection);
            }
            long best = Long.MAX_VALUE;
            for (int i = 0; i < MAX_MEASUREMENTS && best >= LIMIT_MICROS; i++) {
                best = Math.min(best, medianMicros(store.callLog()));
            }
            System.out.printf("usage of 30 days, 100 keys, 100 million calls on %s: median %d us%n", name, best);
            assertThat(best).isLessThan(LIMIT_MICROS);
        }
    }

    /** The median of some reads. It is measured again if the machine was busy. */
    private static long medianMicros(CallLog calls) {
        long[] micros = new long[READS];
        for (int i = 0; i < READS; i++) {
            long begun = System.nanoTime();
            UsageReport report = calls.report(USER, TODAY.minusDays(DAYS - 1), TODAY);
            micros[i] = (System.nanoTime() - begun) / 1_000;
            assertThat(report.totals().total()).isEqualTo(CALLS);
            assertThat(report.topKeys()).hasSize(UsageReport.TOP);
            assertThat(report.topPaths().get(0).count()).isPositive();
        }
        Arrays.sort(micros);
        return micros[READS / 2];
    }

    /** Inserts the rows that so many calls leave: for each day one row, one for each path and one for each key. */
    private static void fill(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        for (int age = 0; age < JdbcCallLog.DAYS_KEPT; age++) {
            LocalDate day = TODAY.minusDays(age);
            long total = CALLS / DAYS + (age < CALLS % DAYS ? 1 : 0);
            insert(connection, "usage_day(user_id, call_day, total, errors, latencies)", day, total, 9L, sketch(age));
            for (int path = 0; path < PATHS; path++) {
                String name = "/api/agent/v1/route-" + path;
                insert(connection, "usage_path(user_id, call_day, path, total)", day, name, total / PATHS);
            }
            for (int key = 0; key < KEYS; key++) {
                UUID id = new UUID(0, key);
                insert(connection, "usage_key(user_id, call_day, agent_key_id, total)", day, id, total / KEYS + key);
            }
        }
        connection.commit();
    }

    private static void insert(Connection connection, String into, LocalDate day, Object... values)
            throws SQLException {
        String sql = "INSERT INTO " + into + " VALUES (?, ?" + ", ?".repeat(values.length) + ")";
        try (PreparedStatement row = connection.prepareStatement(sql)) {
            row.setObject(1, USER.value());
            row.setObject(2, day);
            for (int i = 0; i < values.length; i++) {
                row.setObject(i + 3, values[i]);
            }
            row.executeUpdate();
        }
    }

    private static byte[] sketch(int age) {
        LatencySketch sketch = LatencySketch.empty();
        for (int micros = 100; micros < 2_000_000; micros += micros / 100) {
            sketch.add(micros + age, 3_333);
        }
        return sketch.toBytes();
    }
}
