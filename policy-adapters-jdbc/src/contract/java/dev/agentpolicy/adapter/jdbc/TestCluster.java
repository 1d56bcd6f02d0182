package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.distribution.Distribution;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A Citus cluster that was running before, by its coordinator. */
record TestCluster(String coordinator, List<Node> workers) {
    /** A server of the cluster. */
    private record Node(String host, int port) {
        String url(String like, String database) {
            int mark = like.indexOf('?') < 0 ? like.length() : like.indexOf('?');
            return "jdbc:postgresql://" + host + ":" + port + "/" + database + like.substring(mark);
        }

        String call(String function) {
            return "SELECT " + function + "('" + host + "', " + port + ")";
        }
    }

    /** The cluster whose coordinator is at a URL; empty for a server that is none. */
    static Optional<TestCluster> find(String url) {
        List<Node> workers = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery("SELECT 1 FROM pg_extension WHERE extname = 'citus'")) {
                if (!row.next()) {
                    return Optional.empty();
                }
            }
            try (ResultSet row = statement.executeQuery(
                    "SELECT nodename, nodeport FROM pg_dist_node WHERE shouldhaveshards ORDER BY nodeid")) {
                while (row.next()) {
                    workers.add(new Node(row.getString(1), row.getInt(2)));
                }
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return Optional.of(new TestCluster(url, List.copyOf(workers)));
    }

    /** Makes a new database of the coordinator one of the cluster, and distributes the schema in it. */
    void join(String database, String url, int shards) {
        onWorkers("CREATE DATABASE " + database);
        for (Node worker : workers) {
            TestPostgres.execute(worker.url(coordinator, database), "CREATE EXTENSION citus");
        }
        TestPostgres.execute(url, "CREATE EXTENSION citus");
        TestPostgres.execute(url, own(url).call("citus_set_coordinator_host"));
        workers.forEach(worker -> TestPostgres.execute(url, worker.call("citus_add_node")));
        Distribution.of(TestStores.config(url, InstantSource.system()), shards).run(done -> {});
    }

    /** Executes a statement on each worker, in its own database. */
    void onWorkers(String sql) {
        workers.forEach(worker -> TestPostgres.execute(worker.url(coordinator, "postgres"), sql));
    }

    private static Node own(String url) {
        String address = url.substring(url.indexOf("//") + 2, url.lastIndexOf('/'));
        int colon = address.lastIndexOf(':');
        return new Node(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }
}
