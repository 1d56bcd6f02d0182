package dev.agentpolicy.adapter.jdbc.rate;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.agentpolicy.adapter.jdbc.HeardOutages;
import dev.agentpolicy.adapter.jdbc.rate.SharedWindowCounter.Outage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When an outage of the store of call counts begins and ends, and what is logged. */
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
    void a_connected_store_is_available_and_nothing_is_logged() {
        assertThat(outage.isAway()).isFalse();
        assertThat(heard.lines()).isEmpty();
    }

    @Test
    void a_short_delay_is_no_outage() {
        outage.late();
        outage.late();
        outage.answered();

        assertThat(outage.isAway()).isFalse();
        assertThat(heard.lines()).isEmpty();
    }

    @Test
    void a_slow_store_is_unavailable_but_still_used_and_recovers_with_its_first_answer_in_time()
            throws InterruptedException {
        beLate();

        assertThat(outage.isAway()).isTrue();
        assertThat(outage.isLost()).isFalse();
        outage.answered();
        assertThat(outage.isAway()).isFalse();
        assertThat(levels()).containsExactly(Level.WARN, Level.INFO);
    }

    @Test
    void each_outage_is_logged_once() throws InterruptedException {
        beLate();
        outage.lost(new IOException("gone"));
        outage.lost(new IOException("still gone"));
        outage.answered();
        assertThat(outage.isAway()).as("a late answer over a lost connection").isTrue();

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
