package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.WrittenFiles.Write;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The file of H2 as a process leaves it that is killed before any of its writes or in the middle of one: everything
 * acknowledged until then is there, and every index says what its table says. 12 moments of three lives are tried, and
 * each life begins with what a killed one left; with {@code -Plong} 40 of each and that 50 times, or {@code -Dhistories=}.
 */
class KilledFileTest {
    private static final int HISTORIES = ExperimentSettings.times("histories", 1, 50);
    private static final int LIVES = 3;
    private static final int MOMENTS = ExperimentSettings.times("moments", 12, 40);
    private static final int WRITES = 200;

    private final long seed = ExperimentSettings.seed(KilledFileTest.class);
    private final Random random = new Random(seed);

    @TempDir
    Path folder;

    @BeforeAll
    static void register() {
        WrittenFiles.register();
    }

    /** The usual time is 5 s: what is free for a shorter time is not written over. */
    @ParameterizedTest
    @ValueSource(strings = {"", ";RETENTION_TIME=1"})
    void whenever_it_is_killed_nothing_acknowledged_is_lost_and_no_index_is_wrong(String settings) throws Exception {
        for (int history = 0; history < HISTORIES; history++) {
            Left left = new Left(new FileImage(), List.of());
            for (int life = 0; life < LIVES; life++) {
                left = live(left, settings, settings + " history " + history + ", life " + life + ", seed " + seed);
            }
        }
    }

    /** Answers what one of the kills left. */
    private Left live(Left before, String settings, String which) throws Exception {
        boolean isFirst = before.acknowledged().isEmpty();
        Path file = folder.resolve("written.mv.db");
        if (!isFirst) {
            before.file().store(file);
        }
        WrittenFiles.begin();
        ManyWriters writers = ManyWriters.on("jdbc:h2:" + WrittenFiles.SCHEME + ":" + name(file) + settings);
        int open = WrittenFiles.count();
        List<Acknowledged> acknowledged = new ArrayList<>(before.acknowledged());
        acknowledged.addAll(writers.until(open + WRITES, random.nextLong()));
        List<Write> writes = WrittenFiles.all();
        Files.delete(file);

        int[] moments =
                random.ints(MOMENTS, isFirst ? open : 0, writes.size()).sorted().toArray();
        int chosen = moments[random.nextInt(MOMENTS)];
        Left after = before;
        FileImage image = before.file().copy();
        int next = 0;
        for (int moment : moments) {
            for (; next < moment; next++) {
                image.apply(writes.get(next));
            }
            Left left = new Left(image.copy(), Acknowledged.until(acknowledged, moment));
            if (random.nextBoolean()) {
                left.file().applyHalf(writes.get(next));
            }
            after = moment == chosen ? left : after;
            check(left, which + ", write " + moment + " of " + writes.size());
        }
        return after;
    }

    private void check(Left left, String when) throws Exception {
        Path file = folder.resolve("left.mv.db");
        left.file().store(file);
        try (LeftFile database = LeftFile.open("jdbc:h2:" + name(file))) {
            assertThat(database.wrongIndexes()).as(when).isEmpty();
            assertThat(left.acknowledged()).as(when).isNotEmpty();
            assertThat(database.missing(left.acknowledged())).as(when).isEmpty();
        }
        Files.delete(file);
    }

    private static String name(Path file) {
        return file.toString().replace(".mv.db", "");
    }

    /** A file, and what had been acknowledged when it was left. */
    private record Left(FileImage file, List<Acknowledged> acknowledged) {}
}
