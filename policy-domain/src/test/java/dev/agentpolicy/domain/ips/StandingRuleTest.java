package dev.agentpolicy.domain.ips;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.ips.StandingRule.Hours;
import dev.agentpolicy.domain.sample.SampleValues;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandingRuleTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a minute before it starts         | {"hours":{"start":22,"end":6,"tz":"UTC"}}  | 2026-11-21T21:59:59.999999Z | false
            when it starts                    | {"hours":{"start":22,"end":6,"tz":"UTC"}}  | 2026-11-21T22:00:00Z        | true
            over midnight                     | {"hours":{"start":22,"end":6,"tz":"UTC"}}  | 2026-11-22T00:00:00Z        | true
            just before it ends               | {"hours":{"start":22,"end":6,"tz":"UTC"}}  | 2026-11-22T05:59:59.999999Z | true
            when it ends                      | {"hours":{"start":22,"end":6,"tz":"UTC"}}  | 2026-11-22T06:00:00Z        | false
            within a day, at the start        | {"hours":{"start":9,"end":17,"tz":"UTC"}}  | 2026-11-21T09:00:00Z        | true
            within a day, at the end          | {"hours":{"start":9,"end":17,"tz":"UTC"}}  | 2026-11-21T17:00:00Z        | false
            until midnight, by 24             | {"hours":{"start":20,"end":24,"tz":"UTC"}} | 2026-11-21T23:59:59Z        | true
            until midnight, by 24, after      | {"hours":{"start":20,"end":24,"tz":"UTC"}} | 2026-11-22T00:00:00Z        | false
            until midnight, by 0              | {"hours":{"start":20,"end":0,"tz":"UTC"}}  | 2026-11-21T23:59:59Z        | true
            until midnight, by 0, after       | {"hours":{"start":20,"end":0,"tz":"UTC"}}  | 2026-11-22T00:00:00Z        | false
            a whole day                       | {"hours":{"start":0,"end":24,"tz":"UTC"}}  | 2026-11-22T13:00:00Z        | true
            New York in winter, ten at night  | {"hours":{"start":22,"end":6,"tz":"America/New_York"}} | 2026-11-22T03:00:00Z | true
            New York in winter, nine at night | {"hours":{"start":22,"end":6,"tz":"America/New_York"}} | 2026-11-22T02:59:59Z | false
            New York in summer, ten at night  | {"hours":{"start":22,"end":6,"tz":"America/New_York"}} | 2026-07-22T02:00:00Z | true
            New York in summer, six           | {"hours":{"start":22,"end":6,"tz":"America/New_York"}} | 2026-07-22T10:00:00Z | false
            the first 01:30 of a double hour  | {"hours":{"start":1,"end":2,"tz":"America/New_York"}}  | 2026-11-01T05:30:00Z | true
            the second 01:30 of it            | {"hours":{"start":1,"end":2,"tz":"America/New_York"}}  | 2026-11-01T06:30:00Z | true
            two o'clock after it              | {"hours":{"start":1,"end":2,"tz":"America/New_York"}}  | 2026-11-01T07:00:00Z | false
            the hour that does not exist      | {"hours":{"start":2,"end":3,"tz":"America/New_York"}}  | 2026-03-08T07:00:00Z | false
            just before it                    | {"hours":{"start":1,"end":2,"tz":"America/New_York"}}  | 2026-03-08T06:59:59Z | true
            a Saturday, in UTC without hours  | {"daysOfWeek":["SAT"]}                      | 2026-11-21T00:00:00Z | true
            a Sunday                          | {"daysOfWeek":["SAT"]}                      | 2026-11-22T00:00:00Z | false
            days follow the zone of the hours | {"daysOfWeek":["SAT"],"hours":{"start":0,"end":24,"tz":"America/New_York"}} | 2026-11-22T04:59:59Z | true
            the night of Friday to Saturday   | {"daysOfWeek":["SAT"],"hours":{"start":22,"end":6,"tz":"UTC"}} | 2026-11-21T01:00:00Z | true
            the night of Saturday to Sunday   | {"daysOfWeek":["SAT"],"hours":{"start":22,"end":6,"tz":"UTC"}} | 2026-11-22T01:00:00Z | false
            no day at all                     | {"daysOfWeek":[]}                           | 2026-11-21T00:00:00Z | false
            """)
    void hours_are_half_open_and_of_their_zone(String why, String when, String now, boolean matches) {
        assertThat(rule(when).matches(SampleValues.trade("buy 1 BTC crypto"), Instant.parse(now)))
                .isEqualTo(matches);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                        | sell 0 SPY tradfi      | true
            {"actions":["buy"]}       | buy 1 BTC crypto       | true
            {"actions":["buy"]}       | sell 1 BTC crypto      | false
            {"assetTypes":["tradfi"]} | buy 1 SPY tradfi       | true
            {"assetTypes":["tradfi"]} | buy 1 BTC crypto       | false
            {"symbols":["doge"]}      | buy 1 Doge crypto      | true
            {"symbols":["DOGE"]}      | buy 1 DOGE2 crypto     | false
            {"symbols":[]}            | buy 1 DOGE crypto      | false
            {"amountUsdAbove":1000}   | buy 1000 BTC crypto    | false
            {"amountUsdAbove":1000}   | buy 1000.00000001 BTC crypto | true
            {"amountUsdAbove":0}      | buy 0 BTC crypto       | false
            {"actions":["buy"],"symbols":["BTC"],"amountUsdAbove":5} | buy 6 BTC crypto | true
            {"actions":["buy"],"symbols":["BTC"],"amountUsdAbove":5} | buy 6 ETH crypto | false
            """)
    void every_condition_must_hold(String when, String trade, boolean matches) {
        assertThat(rule(when).matches(SampleValues.trade(trade), SampleValues.NOON))
                .isEqualTo(matches);
    }

    @Test
    void hours_that_do_not_exist_cannot_be_made() {
        assertThatThrownBy(() -> new Hours(6, 6, ZoneOffset.UTC)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Hours(24, 6, ZoneOffset.UTC)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Hours(0, 25, ZoneOffset.UTC)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void hours_may_begin_at_23_and_end_at_0_or_24() {
        assertThat(new Hours(23, 0, ZoneOffset.UTC).contains(23)).isTrue();
        assertThat(new Hours(23, 24, ZoneOffset.UTC).contains(22)).isFalse();
        assertThat(new Hours(0, 24, ZoneOffset.UTC).contains(0)).isTrue();
        assertThatThrownBy(() -> new Hours(-1, 6, ZoneOffset.UTC)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Hours(6, -1, ZoneOffset.UTC)).isInstanceOf(IllegalArgumentException.class);
    }

    private static StandingRule rule(String when) {
        return SampleValues.ips("{\"standingRules\":[{\"id\":\"a\",\"effect\":\"block\",\"when\":" + when + "}]}")
                .standingRules()
                .get(0);
    }
}
