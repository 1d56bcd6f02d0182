package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Collections;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Measures replays of as many decisions as one replays at most, and prints how long they took. */
@OnEveryDatabase
class ReplaySpeedTest extends DatabaseTests {
    private static final int DECISIONS = 20_000;
    private static final int BATCH = 25;
    private static final int MAX_ATTEMPTS = 20;
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final String FLOW =
            "[{\"id\":\"day\",\"kind\":\"flow\",\"windowMinutes\":1440,\"maxUsd\":100},"
                    + "{\"id\":\"each\",\"kind\":\"position\",\"perAsset\":true,\"max\":0.9}]";

    @Test
    void twenty_thousand_decisions_are_replayed_within_three_seconds() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        String noBuys = TestHousehold.demo("ips.json").replace("[\"buy\", \"sell\"]", "[\"sell\"]");
        household.user().put(APP + "ips/shadow", "{\"document\":" + noBuys + "}").ok();
        decide(household.agent());
        assertThat(measured("a draft", household, noBuys).get("newlyBlocked").intValue())
                .isEqualTo(DECISIONS);
        String limited = TestHousehold.demo("ips.json").replace("\"tier\"", "\"limits\":" + FLOW + ",\"tier\"");
        assertThat(measured("a draft with limits", household, limited).get("same").intValue())
                .isEqualTo(DECISIONS);

        long begun = System.nanoTime();
        JsonNode shadow = household.user().get(APP + "ips/shadow").ok().json();
        print("a shadow", Duration.ofNanos(System.nanoTime() - begun));
        assertThat(shadow.get("newlyBlocked").intValue()).isEqualTo(DECISIONS);
    }

    private static void decide(ApiCaller agent) {
        String one = trade("buy", "SPY", "tradfi", "1");
        String batch = "{\"trades\":[" + String.join(",", Collections.nCopies(BATCH, one)) + "]}";
        IntStream.range(0, DECISIONS / BATCH)
                .parallel()
                .forEach(i -> agent.post(API + "policy/validate-batch", batch).ok());
    }

    /** The answer of a replay that was fast enough. It is measured again if the machine was busy. */
    private JsonNode measured(String what, TestHousehold household, String document) {
        String sent = "{\"document\":" + document + ",\"days\":1}";
        Duration best = Duration.ofDays(1);
        JsonNode answer = null;
        for (int i = 0; i < MAX_ATTEMPTS && best.compareTo(LIMIT) >= 0; i++) {
            long begun = System.nanoTime();
            answer = household.user().post(APP + "ips/preview", sent).ok().json();
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            best = took.compareTo(best) < 0 ? took : best;
            print(what, took);
        }
        assertThat(best).isLessThan(LIMIT);
        assertThat(answer.get("count").intValue()).isEqualTo(DECISIONS);
        return answer;
    }

    private void print(String what, Duration took) {
        System.out.printf("replay of %d decisions under %s on %s: %d ms%n", DECISIONS, what, database, took.toMillis());
    }
}
