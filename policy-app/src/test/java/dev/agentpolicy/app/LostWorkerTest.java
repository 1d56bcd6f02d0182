package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster one of whose workers is away. Runs where the tests are given a cluster. */
class LostWorkerTest {
    private static final String TRADE = TestHousehold.trade("buy", "SPY", "tradfi", "1");

    private static final Path DOCUMENT = Path.of("../docs/openapi.json");
    private static final int TRIES = 100;

    @TempDir
    private Path folder;

    @Test
    void is_felt_by_its_users_only() throws Exception {
        assumeTrue(TestPostgres.isDistributed(), "A cluster has workers.");
        String database = TestPostgres.freshDatabase();
        try (ServiceNode node = ServiceNode.start(folder, database)) {
            List<TestHousehold> users = new ArrayList<>();
            while (users.stream().map(user -> worker(database, user)).distinct().count() < 2) {
                users.add(TestHousehold.withPolicy(node.caller()));
            }
            TestHousehold theirs = users.get(0);
            TestHousehold ours = users.get(users.size() - 1);
            ApiCaller lost = theirs.agent();
            ApiCaller served = ours.agent();
            JsonNode second = ours.mint("live");
            Worker away = Worker.of(database, worker(database, theirs));

            away.stop();
            for (int i = 0; i < TRIES && validated(lost) == 200; i++) {
                // A node that is connected to the worker straight learns in a moment that it has another port.
            }
            assertThat(List.of(
                            validated(lost),
                            theirs.user().post(APP + "pause", "{}").status(),
                            theirs.user().get(APP + "keys").status(),
                            theirs.user().get(APP + "ips").status()))
                    .containsOnly(503);
            for (String path : readByUsers()) {
                assertThat(theirs.user().get(path).status()).as(path).isNotEqualTo(500);
                assertThat(ours.user().get(path).status()).as(path).isLessThan(500);
            }
            TestHousehold.signUp(node.caller());
            String decided = served.post(API + "policy/validate", TRADE).ok().header("X-Policy-Event-Seq");
            ServedLogTest.awaitProof(served, Long.parseLong(decided));
            TestHousehold again = new TestHousehold(node.caller().with("Cookie", ours.signInAgain()), ours.userId());
            ours.user().delete(APP + "session").ok();
            ApiCaller minted = again.agent();
            assertThat(validated(minted)).isEqualTo(200);
            again.user()
                    .delete(APP + "keys/" + second.get("agentKeyId").textValue())
                    .ok();
            assertThat(validated(again.agent(second))).isEqualTo(401);
            again.user().post(APP + "pause", "{}").ok();
            assertThat(minted.post(API + "policy/validate", TRADE).ok().text()).contains("All agents are paused.");

            away.start();
            for (int i = 0; i < TRIES && validated(lost) == 503; i++) {
                // The service tries to connect again all the time.
            }
            assertThat(validated(lost)).isEqualTo(200);
            assertThat(validated(theirs.agent())).isEqualTo(200);
        }
    }

    /** What the app reads of its user, without a parameter in the path. */
    private static List<String> readByUsers() throws IOException {
        JsonNode paths = new ObjectMapper().readTree(DOCUMENT.toFile()).get("paths");
        return StreamSupport.stream(((Iterable<String>) paths::fieldNames).spliterator(), false)
                .filter(path -> path.startsWith(APP) && !path.contains("{") && !path.endsWith("/stream"))
                .filter(path -> paths.get(path).has("get"))
                .toList();
    }

    private static int validated(ApiCaller agent) {
        return agent.post(API + "policy/validate", TRADE).status();
    }

    /** The port of the worker that has a user. */
    private static int worker(String database, TestHousehold user) {
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT n.nodeport FROM pg_dist_placement p"
                        + " JOIN pg_dist_node n ON n.groupid = p.groupid WHERE p.shardid ="
                        + " get_shard_id_for_distribution_column('account', CAST('" + user.userId() + "' AS uuid))")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** A worker as the coordinator of one database knows it: other tests use the server at the same time. */
    private record Worker(String coordinator, String url, int port) {
        private static final int NOBODY_LISTENS = 1;

        static Worker of(String coordinator, int port) {
            return new Worker(coordinator, coordinator.replaceFirst(":\\d+/", ":" + port + "/"), port);
        }

        void stop() {
            move(port, NOBODY_LISTENS);
            TestPostgres.execute(
                    url,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
        }

        void start() {
            move(NOBODY_LISTENS, port);
        }

        private void move(int from, int to) {
            TestPostgres.execute(coordinator, "UPDATE pg_dist_node SET nodeport = " + to + " WHERE nodeport = " + from);
        }
    }
}
