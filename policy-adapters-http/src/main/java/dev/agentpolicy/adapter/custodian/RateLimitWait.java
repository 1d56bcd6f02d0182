package dev.agentpolicy.adapter.custodian;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads how long a broker that answered 429 wants to be left alone. */
final class RateLimitWait {

    private RateLimitWait() {}

    /**
     * The seconds of {@code Retry-After}, or the time until {@code X-RateLimit-Reset}. That one is a time of the broker's
     * clock, so that it is compared with the date of the answer and not with the local clock, which may differ.
     *
     * @param local stands in for an answer without a date
     * @return empty when the headers say nothing that can be understood; never negative
     */
    static Optional<Duration> of(HttpHeaders headers, Instant local) {
        OptionalLong seconds = number(headers, "Retry-After");
        if (seconds.isPresent()) {
            return Optional.of(Duration.ofSeconds(Math.max(0, seconds.getAsLong())));
        }
        OptionalLong reset = number(headers, "X-RateLimit-Reset");
        if (reset.isEmpty()) {
            return Optional.empty();
        }
        long left = reset.getAsLong() - date(headers).orElse(local).getEpochSecond();
        return Optional.of(Duration.ofSeconds(Math.max(0, left)));
    }

    private static OptionalLong number(HttpHeaders headers, String name) {
        return headers.firstValue(name)
                .filter(value -> value.matches("[0-9]{1,12}"))
                .map(value -> OptionalLong.of(Long.parseLong(value)))
                .orElse(OptionalLong.empty());
    }

    private static Optional<Instant> date(HttpHeaders headers) {
        return headers.firstValue("Date").flatMap(text -> {
            try {
                return Optional.of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant());
            } catch (DateTimeException unreadable) {
                return Optional.empty();
            }
        });
    }
}
