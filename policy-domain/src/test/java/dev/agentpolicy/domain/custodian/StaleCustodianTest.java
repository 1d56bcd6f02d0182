package dev.agentpolicy.domain.custodian;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections that were not heard of for too long. */
class StaleCustodianTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PT-5S       | 0 seconds
            PT0S        | 0 seconds
            PT1.999S    | 1 second
            PT119.999S  | 119 seconds
            PT2M        | 2 minutes
            PT119M59S   | 119 minutes
            PT2H        | 2 hours
            PT47H59M    | 47 hours
            PT48H       | 2 days
            P400D       | 400 days
            """)
    void the_message_says_how_long_ago_the_custodian_was_last_heard_of(Duration age, String words) {
        StaleCustodian stale = new StaleCustodian("alpaca", "Alpaca", SampleValues.NOON);

        assertThat(stale.message(SampleValues.NOON.plus(age))).isEqualTo("Alpaca was last heard of " + words + " ago.");
    }

    @Test
    void a_connection_is_too_old_once_its_time_is_over() {
        CustodianConnections connections =
                CustodianConnections.NONE.with(StoreSamples.connection("a", SampleValues.NOON));

        assertThat(connections.stale(SampleValues.NOON.plus(Duration.ofMinutes(15))))
                .isNull();
        assertThat(connections.stale(
                        SampleValues.NOON.plus(Duration.ofMinutes(15)).plusNanos(1_000)))
                .isEqualTo(new StaleCustodian("a", "Broker é", SampleValues.NOON));
        assertThat(CustodianConnections.NONE.stale(SampleValues.NOON)).isNull();
    }

    @Test
    void of_several_the_one_that_was_not_heard_of_for_the_longest_time_is_named() {
        CustodianConnections connections = CustodianConnections.NONE
                .with(StoreSamples.connection("a", SampleValues.NOON.plusSeconds(1)))
                .with(StoreSamples.connection("b", SampleValues.NOON))
                .with(StoreSamples.connection("c", SampleValues.NOON.plus(Duration.ofHours(1))));

        assertThat(connections
                        .stale(SampleValues.NOON.plus(Duration.ofHours(1)))
                        .custodian())
                .isEqualTo("b");
    }

    @Test
    void a_connection_is_replaced_in_its_place_and_removed_by_its_id() {
        CustodianConnection a = StoreSamples.connection("a", SampleValues.NOON);
        CustodianConnection b = StoreSamples.connection("b", SampleValues.NOON);
        CustodianConnection later = a.synced(SampleValues.NOON.plusSeconds(9), Duration.ofMinutes(1), null);
        CustodianConnections both = CustodianConnections.NONE.with(a).with(b).with(later);

        assertThat(both.all()).isEqualTo(List.of(later, b));
        assertThat(both.without("a").all()).containsExactly(b);
        assertThat(both.without("x")).isEqualTo(both);
        assertThat(later.status()).isEqualTo(ConnectionStatus.CONNECTED);
        assertThat(later.error()).isNull();
    }

    @Test
    void fills_are_read_again_for_a_quarter_of_an_hour_and_never_from_further_back_than_before() {
        CustodianConnection connection = StoreSamples.connection("a", SampleValues.NOON);

        assertThat(connection.readFills(null, SampleValues.NOON)).isEqualTo(connection);
        assertThat(connection.readFills(StoreSamples.START, SampleValues.NOON)).isEqualTo(connection);
        assertThat(connection.readFills(SampleValues.NOON, SampleValues.NOON).fillsSince())
                .isEqualTo(SampleValues.NOON.minus(Duration.ofMinutes(15)));
    }
}
