package dev.agentpolicy.adapter.http;

import static dev.agentpolicy.adapter.http.Client.VALIDATE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After 50 unknown keys from an address within a second, keys that are not cached get 429 without a lookup. */
class GuessedKeysTest {
    private static final int MAX_UNKNOWN = 50;

    private final TestService service = new TestService().withPolicyAndPortfolio();

    @AfterEach
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"live", "test"})
    void guessed_keys_cause_at_most_fifty_lookups_a_second(String type) {
        for (int guess = 0; guess < MAX_UNKNOWN; guess++) {
            assertThat(guess(type, guess).status()).isEqualTo(401);
        }
        int before = service.keys.lookUps();

        for (int guess = MAX_UNKNOWN; guess < 3 * MAX_UNKNOWN; guess++) {
            Seen seen = guess(type, guess);
            assertThat(seen.status()).isEqualTo(429);
            assertThat(seen.header("Retry-After")).isEqualTo("1");
            Expect.budget(seen, 0);
        }

        assertThat(service.keys.lookUps()).isEqualTo(before);
        service.clock.advance(Duration.ofSeconds(1));
        assertThat(guess(type, 0).status()).isEqualTo(401);
    }

    private Seen guess(String type, int number) {
        String key = "svc_" + type + "_" + String.format("%064x", number);
        return number % 2 == 0
                ? service.client().withKey(key).get("/api/agent/v1/whoami")
                : service.client().withKey(key).post(VALIDATE, TRADE);
    }
}
