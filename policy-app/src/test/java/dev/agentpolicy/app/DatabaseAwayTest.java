package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.MortalPostgres;
import dev.agentpolicy.app.Asked.Kind;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A running service whose PostgreSQL dies, freezes or cannot be reached, under load: callers are told so in time, it
 * recovers by itself, nothing is lost and nothing is there twice. Each once, with {@code -Plong} 20 times, or
 * {@code -Doutages=}.
 */
class DatabaseAwayTest {
    private static final int OUTAGES = Experiments.times("outages", 1, 20);
    private static final int LOST_ANSWERS = Experiments.times("lostAnswers", 20, 1_000);
    private static final int MOST_ANSWERS = 80;
    private static final int MOST_MILLIS = 300;

    /** For a silent server: its patience, one more connection, and a machine that does other things as well. */
    private static final long LONGEST_MILLIS = 20_000;

    private static MortalPostgres postgres;
    private static CutWire wire;
    private static Node node;

    private final long seed = Experiments.seed();
    private final Random random = new Random(seed);
    private final AtomicInteger numbers = new AtomicInteger(1);

    @TempDir
    Path folder;

    /** How the database goes away, and how it comes back. */
    enum Fault {
        KILLED {
            @Override
            void begin() throws Exception {
                postgres.kill();
            }

            @Override
            void end() throws Exception {
                postgres.restart();
            }
        },
        STOPPED_AT_ONCE {
            @Override
            void begin() throws Exception {
                postgres.stopAtOnce();
            }

            @Override
            void end() throws Exception {
                postgres.restart();
            }
        },
        CUT {
            @Override
            void begin() {
                wire.cut();
            }
        },
        CUT_AFTER_A_COMMIT {
            @Override
            void begin() {
                wire.cutAfterCommit();
            }
        },
        SILENT {
            @Override
            void begin() {
                wire.silence();
            }
        };

        abstract void begin() throws Exception;

        void end() throws Exception {
            wire.mend();
        }
    }

    @BeforeAll
    static void start(@TempDir Path emptyFolder) throws Exception {
        postgres = new MortalPostgres(Files.createDirectory(emptyFolder.resolve("postgres")));
        String address = postgres.url().substring("jdbc:".length());
        wire = new CutWire(URI.create(address).getPort());
        node = Node.start(emptyFolder, "jdbc:" + address.replaceFirst("//[^/]+/", "//127.0.0.1:" + wire.port() + "/"));
    }

    @AfterAll
    static void stop() throws Exception {
        node.close();
        wire.close();
        postgres.close();
    }

    @ParameterizedTest
    @EnumSource
    void callers_are_told_in_time_and_nothing_is_lost_or_done_twice(Fault fault) throws Exception {
        Queue queue = Queue.of(node.caller());
        Reckoning reckoning = new Reckoning(new LogSoFar(folder.resolve("verified.json")));
        for (int outage = 0; outage < OUTAGES; outage++) {
            Load load = Load.on(queue, numbers);
            load.until(1 + random.nextInt(MOST_ANSWERS), call -> call.is(200));
            long begun = System.nanoTime();
            fault.begin();
            for (Kind kind : List.of(Kind.VALIDATE, Kind.BATCH, Kind.PROPOSE)) {
                load.until(1, call -> call.kind() == kind && call.is(503));
            }
            Thread.sleep(random.nextInt(MOST_MILLIS));
            fault.end();
            long back = System.nanoTime();
            load.until(1, call -> call.kind() == Kind.VALIDATE && call.is(200));
            long recovered = System.nanoTime();
            Collection<Asked> asked = load.end();
            System.out.printf(
                    "%s, seed %d: away %d ms, longest answer %d ms, answering again %d ms after it was back%n",
                    fault,
                    seed,
                    TimeUnit.NANOSECONDS.toMillis(back - begun),
                    longest(asked),
                    TimeUnit.NANOSECONDS.toMillis(recovered - back));
            everybodyWasTold(asked);
            reckoning.hold(queue, asked);
        }
        reckoning.close(queue);
        if (fault == Fault.CUT_AFTER_A_COMMIT) {
            assertThat(reckoning.othersInTheLog()).isPositive();
        }
    }

    @Test
    void a_commit_whose_answer_is_lost_on_the_way_is_found_in_the_log_and_answered() throws Exception {
        Queue queue = Queue.of(node.caller());
        Reckoning reckoning = new Reckoning(new LogSoFar(folder.resolve("verified.json")));
        Load load = Load.on(queue, numbers);
        for (int lost = 0; lost < LOST_ANSWERS; lost++) {
            wire.loseAnswersOfCommits(1);
            load.until(1 + random.nextInt(MOST_ANSWERS / 8), call -> call.is(200) && wire.hasLostThem());
        }
        Collection<Asked> asked = load.end();
        System.out.printf("%d answers lost, seed %d, longest answer %d ms%n", LOST_ANSWERS, seed, longest(asked));
        everybodyWasTold(asked);
        reckoning.hold(queue, asked);
        reckoning.close(queue);
    }

    private static void everybodyWasTold(Collection<Asked> asked) {
        assertThat(asked).allSatisfy(call -> {
            assertThat(call.is(200) || call.is(503)).isTrue();
            assertThat(call.millis()).isLessThan(LONGEST_MILLIS);
            if (call.is(503)) {
                assertThat(call.answer().orElseThrow().header("Retry-After")).isEqualTo("1");
            }
        });
    }

    private static long longest(Collection<Asked> asked) {
        return asked.stream().mapToLong(Asked::millis).max().orElse(0);
    }
}
