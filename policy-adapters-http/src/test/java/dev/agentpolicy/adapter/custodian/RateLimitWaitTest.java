package dev.agentpolicy.adapter.custodian;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RateLimitWaitTest {
    private static final Instant LOCAL = Instant.parse("2026-11-25T12:00:00Z");
    private static final String RESET = String.valueOf(LOCAL.plusSeconds(30).getEpochSecond());

    @Test
    void retry_after_is_taken_at_its_word() {
        assertThat(pause(Map.of("Retry-After", "7", "X-RateLimit-Reset", RESET)))
                .contains(Duration.ofSeconds(7));
    }

    @Test
    void a_reset_is_compared_with_the_date_of_the_answer() {
        assertThat(pause(Map.of("X-RateLimit-Reset", RESET, "Date", "Wed, 25 Nov 2026 12:00:20 GMT")))
                .contains(Duration.ofSeconds(10));
    }

    @Test
    void without_a_date_the_local_clock_stands_in() {
        assertThat(pause(Map.of("X-RateLimit-Reset", RESET))).contains(Duration.ofSeconds(30));
        assertThat(pause(Map.of("X-RateLimit-Reset", RESET, "Date", "yesterday")))
                .contains(Duration.ofSeconds(30));
    }

    @Test
    void a_reset_in_the_past_asks_for_no_pause() {
        assertThat(pause(Map.of("X-RateLimit-Reset", "1"))).contains(Duration.ZERO);
    }

    @Test
    void what_cannot_be_understood_is_ignored() {
        assertThat(pause(Map.of())).isEmpty();
        assertThat(pause(Map.of("Retry-After", "soon", "X-RateLimit-Reset", "-1")))
                .isEmpty();
        assertThat(pause(Map.of("X-RateLimit-Reset", "99999999999999999999"))).isEmpty();
    }

    private static Optional<Duration> pause(Map<String, String> headers) {
        Map<String, List<String>> lists = new HashMap<>();
        headers.forEach((name, value) -> lists.put(name, List.of(value)));
        return AlpacaTransport.wantedPause(HttpHeaders.of(lists, (name, value) -> true), LOCAL);
    }
}
