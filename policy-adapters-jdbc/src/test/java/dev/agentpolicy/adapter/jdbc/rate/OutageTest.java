package dev.agentpolicy.adapter.jdbc.rate;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.agentpolicy.adapter.jdbc.HeardOutages;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When the store of call counts is said to be away, and how often. */
class OutageTest {
    private static final int LATE_MILLIS = 700;

    @RegisterExtension
    final HeardOutages heard = new HeardOutages();

    private final Outage outage = new Outage();

    @BeforeEach
    void find() {
        outage.found();
    }

    @Test
    void a_store_that_was_found_is_there_and_nothing_is_said() {
        assertThat(outage.isAway()).isFalse();
        assertThat(heard.lines()).isEmpty();
    }

    @Test
    void a_hiccup_is_no_outage() {
        outage.late();
        outage.late();
        outage.answered();

        assertThat(outage.isAway()).isFalse();
        assertThat(heard.lines()).isEmpty();
    }

    @Test
    void a_store_that_is_late_for_long_is_away_but_still_asked_and_comes_back_with_its_first_answer_in_time()
            throws InterruptedException {
        beLate();

        assertThat(outage.isAway()).isTrue();
        assertThat(outage.isLost()).isFalse();
        outage.answered();
        assertThat(outage.isAway()).isFalse();
        assertThat(levels()).containsExactly(Level.WARN, Level.INFO);
    }

    @Test
    void one_outage_is_told_once_however_it_goes_on() throws InterruptedException {
        beLate();
        outage.lost(new IOException("gone"));
        outage.lost(new IOException("still gone"));
        outage.answered();
        assertThat(outage.isAway())
                .as("a late answer over a connection that is gone")
                .isTrue();

        outage.found();
        assertThat(outage.isAway()).isFalse();
        assertThat(levels()).containsExactly(Level.WARN, Level.INFO);
    }

    private void beLate() throws InterruptedException {
        outage.late();
        Thread.sleep(LATE_MILLIS);
        outage.late();
    }

    private List<Level> levels() {
        return heard.levels();
    }
}
