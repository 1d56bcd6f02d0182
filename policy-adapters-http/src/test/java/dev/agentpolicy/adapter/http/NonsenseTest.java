package dev.agentpolicy.adapter.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Client.Seen;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever is sent, the service says what was wrong and never that it broke. The seed is part of every failure. */
class NonsenseTest {
    private static final int CALLS = 400;
    private static final String BODY =
            "{\"trades\":[{\"action\":\"buy\",\"assetSymbol\":\"ETH\",\"assetType\":\"crypto\","
                    + "\"amountUsd\":1.5e2,\"expectedSlippagePct\":0.5}],\"rationale\":\"ok \\u00e9\",\"crypto\":{\"min\":0.1}}";
    private static final String BITS = "{}[]\":,\\u0e-+.19tfn \u0000\u001f\u007f\u00ff";
    private static final List<String> POSTS = List.of(
            "agent/v1/policy/validate", "agent/v1/policy/validate-batch", "agent/v1/trades/propose", "app/v1/keys");
    private static final List<String> GETS = List.of(
            "agent/v1/audit", "agent/v1/policy/events", "agent/v1/usage", "app/v1/requests", "agent/v1/signing-keys");
    private static final List<String> NAMES =
            List.of("limit", "cursor", "since", "order", "eventType", "days", "agentKeyId", "allowed", "status", "x");

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final TestService service = new TestService().withPolicyAndPortfolio();
    private final SignedIn signedIn = new SignedIn(service);
    private final Client caller = signedIn.user().withKey(service.key()).with("Content-Type", "application/json");

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void no_body_breaks_the_service() {
        for (int i = 0; i < CALLS; i++) {
            byte[] body = mutated(BODY).getBytes(StandardCharsets.ISO_8859_1);
            String path = "/api/" + pick(POSTS);
            check(
                    path,
                    new String(body, StandardCharsets.ISO_8859_1),
                    caller.send("POST", path, BodyPublishers.ofByteArray(body)));
        }
    }

    @Test
    void no_parameter_breaks_the_service() {
        for (int i = 0; i < CALLS; i++) {
            StringBuilder query = new StringBuilder("?");
            for (int part = random.nextInt(3); part >= 0; part--) {
                query.append(pick(NAMES)).append('=').append(value()).append('&');
            }
            String path = "/api/" + pick(GETS) + query;
            check(path, "", caller.get(path));
        }
    }

    private void check(String path, String body, Seen seen) {
        assertThat(seen.status())
                .as("seed %d, %s %s: %s", seed, path, body, seen.text())
                .isLessThan(500);
        if (seen.status() >= 400) {
            assertThat(ProposeTest.names(seen.json())).startsWith("error", "message", "requestId");
        }
        service.clock.advance(Duration.ofSeconds(1));
    }

    private String mutated(String text) {
        StringBuilder mutated = new StringBuilder(text);
        for (int change = random.nextInt(4); change >= 0; change--) {
            int at = random.nextInt(mutated.length());
            switch (random.nextInt(3)) {
                case 0 -> mutated.insert(at, BITS.charAt(random.nextInt(BITS.length())));
                case 1 -> mutated.setCharAt(at, BITS.charAt(random.nextInt(BITS.length())));
                default -> mutated.delete(at, Math.min(mutated.length(), at + 1 + random.nextInt(5)));
            }
        }
        return mutated.toString();
    }

    /** Percent-encoded bytes, digits or words. */
    private String value() {
        return switch (random.nextInt(4)) {
            case 0 -> Integer.toString(random.nextInt());
            case 1 -> pick(List.of("asc", "ips.created", "true", "pending", "2026-11-21T09:40:00Z", "AAAA", ""));
            default -> {
                StringBuilder bytes = new StringBuilder();
                for (int i = random.nextInt(8); i >= 0; i--) {
                    bytes.append("%%%02X".formatted(random.nextInt(256)));
                }
                yield bytes.toString();
            }
        };
    }

    private String pick(List<String> words) {
        return words.get(random.nextInt(words.size()));
    }
}
