package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.jdbc.MortalPostgres;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.tlog.ChainLeaf;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes, their database and a witness are killed (SIGKILL) at any moment while rows are logged: no two checkpoints that were
 * published contradict each other, no entry is there twice, and none is lost. 4 times, with {@code -Plong} 200 times, or
 * {@code -Dkills=}.
 */
class KilledLogTest {
    private static final int KILLS = ExperimentSettings.times("kills", 4, 200);
    private static final int NODES = 2;
    private static final int STEP = 256;
    private static final Duration MAX_PAUSE = Duration.ofMillis(1_500);

    private final long seed = ExperimentSettings.seed(KilledLogTest.class);
    private final Random random = new Random(seed);
    private final Map<Long, String> seen = new ConcurrentSkipListMap<>();
    private final ServiceProcess[] nodes = new ServiceProcess[NODES];
    private final String[] addresses = new String[NODES];
    private final ApiCaller[] agents = new ApiCaller[NODES];
    private volatile boolean isOver;
    private volatile AssertionError failure;

    @TempDir
    Path folder;

    /** What is killed. */
    private enum Victim {
        A_NODE,
        BOTH_NODES,
        THE_DATABASE,
        THE_WITNESS
    }

    @Test
    void no_checkpoint_contradicts_another_no_entry_is_there_twice_and_none_is_lost() throws Exception {
        try (MortalPostgres postgres = new MortalPostgres(Files.createDirectory(folder.resolve("postgres")))) {
            String url = postgres.url();
            TestHousehold household;
            String key;
            JsonNode own;
            try (ServiceNode node = ServiceNode.start(folder, url)) {
                household = TestHousehold.withPolicy(node.caller());
                key = household.mint("live").get("key").textValue();
                new FollowedLog(node.running().address(), key).await(1);
                own = household.user().get(APP + "log").ok().json();
            }
            int port = freePort();
            String[] watching = {
                "witness",
                "--listen",
                "127.0.0.1:" + port,
                "--name",
                "watcher.example",
                "--state",
                folder.resolve("witness").toString(),
                "--log",
                own.get("verifierKey").textValue()
            };
            ServiceProcess witness = ServiceProcess.start(folder, Map.of(), watching);
            String[] said = witness.line().split(" ");
            Path policy = Files.writeString(
                    folder.resolve("policy"), "witness w " + said[said.length - 1] + " " + said[2] + "\nquorum w\n");
            Map<String, String> environment =
                    ServiceNode.environment(folder, url, Map.of("POLICY_TLOG_POLICY", policy.toString()));
            Map<Victim, Integer> killed = new HashMap<>();
            for (int i = 0; i < NODES; i++) {
                begin(i, environment, key);
            }
            Thread writing = working(this::write);
            Thread reading = working(this::read);
            for (int kill = 0; kill < KILLS; kill++) {
                LockSupport.parkNanos((long) (random.nextDouble() * MAX_PAUSE.toNanos()));
                Victim victim = Victim.values()[kill < NODES + 2 ? kill : random.nextInt(Victim.values().length)];
                killed.merge(victim, 1, Integer::sum);
                switch (victim) {
                    case THE_DATABASE -> {
                        postgres.kill();
                        postgres.restart();
                    }
                    case THE_WITNESS -> {
                        witness.kill();
                        witness.exitCode();
                        witness = ServiceProcess.start(folder, Map.of(), watching);
                        assertThat(witness.line()).startsWith("Listening at ");
                    }
                    case A_NODE, BOTH_NODES -> {
                        int first = random.nextInt(NODES);
                        int count = victim == Victim.A_NODE ? 1 : NODES;
                        for (int i = 0; i < count; i++) {
                            nodes[(first + i) % NODES].kill();
                        }
                        for (int i = 0; i < count; i++) {
                            nodes[(first + i) % NODES].exitCode();
                            begin((first + i) % NODES, environment, key);
                        }
                    }
                }
                if (failure != null) {
                    throw failure;
                }
            }
            isOver = true;
            writing.join();
            reading.join();
            int entries = everythingIsLoggedOnce(new FollowedLog(addresses[0], key), own);
            System.out.printf(
                    "Seed %d: %d kills %s, %d entries, %d checkpoints seen%n",
                    seed, KILLS, killed, entries, seen.size());
            witness.close();
        } finally {
            isOver = true;
            for (ServiceProcess node : nodes) {
                if (node != null) {
                    node.close();
                }
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void begin(int node, Map<String, String> environment, String key) throws IOException {
        nodes[node] = ServiceProcess.start(folder, environment);
        addresses[node] = nodes[node].address();
        agents[node] = new ApiCaller(addresses[node]).withKey(key);
    }

    private Thread working(Runnable step) {
        Thread thread = new Thread(() -> {
            while (!isOver && failure == null) {
                try {
                    step.run();
                } catch (UncheckedIOException killed) {
                    Thread.onSpinWait();
                } catch (AssertionError failed) {
                    failure = failed;
                }
            }
        });
        thread.start();
        return thread;
    }

    private void write() {
        for (ApiCaller agent : agents) {
            int status = agent.post(API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", "1"))
                    .status();
            assertThat(status).isIn(200, 503);
        }
    }

    /** Two checkpoints of one size are the same; whether all are of one history is seen at the end. */
    private void read() {
        for (ApiCaller agent : agents) {
            ApiCaller.Seen answer = agent.get("/tlog/checkpoint");
            if (answer.status() == 200) {
                String text = SignedNote.read(answer.text()).orElseThrow().text();
                String before = seen.put(Checkpoint.read(text).orElseThrow().size(), text);
                assertThat(before == null ? text : before).isEqualTo(text);
            }
        }
    }

    private int everythingIsLoggedOnce(FollowedLog log, JsonNode own) throws Exception {
        byte[] secret = Base64Url.decode(own.get("secret").textValue());
        Map<String, Long> places = new HashMap<>();
        long last = 0;
        String cursor = "";
        while (cursor != null) {
            JsonNode page = agents[0]
                    .get(API + "policy/events?order=asc&limit=500" + cursor)
                    .ok()
                    .json();
            for (JsonNode row : page.get("events")) {
                last = row.get("seq").longValue();
                ChainLeaf leaf = ChainLeaf.of(secret, last, row.get("hash").textValue());
                places.put(Base64Url.encode(leaf.entry()), last);
            }
            JsonNode next = page.get("nextCursor");
            cursor = next.isNull() ? null : "&cursor=" + URLEncoder.encode(next.textValue(), StandardCharsets.UTF_8);
        }
        String proof = API + "policy/events/" + last + "/proof";
        while (agents[0].get(proof).status() != 200
                || agents[0].get(proof).text().split("\n\u2014 ").length < 3) {
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
        Checkpoint end = log.checkpoint();
        List<byte[]> entries = log.entries(end);
        Set<Long> logged = new HashSet<>();
        for (byte[] entry : entries) {
            Long place = places.get(Base64Url.encode(entry));
            assertThat(place).as("the row of an entry").isNotNull();
            assertThat(logged.add(place)).as("row %d once", place).isTrue();
        }
        List<Long> wanted = new ArrayList<>(List.of(last));
        for (long seq = STEP; seq < last; seq += STEP) {
            wanted.add(seq);
        }
        assertThat(logged).containsAll(wanted);
        for (Map.Entry<Long, String> each : seen.entrySet()) {
            Checkpoint checkpoint = Checkpoint.read(each.getValue()).orElseThrow();
            assertThat(Checkpoint.of(end.origin(), log.tree(checkpoint))).isEqualTo(checkpoint);
        }
        return entries.size();
    }
}
