package dev.agentpolicy.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Corrupted HTTP requests: every answer is well-formed, and the connection ends. */
@ExtendWith(AttackedService.Shared.class)
class CorruptedBytesTest {
    private static final long SEED = ExperimentSettings.seed(CorruptedBytesTest.class);
    private static final int ROUNDS = ExperimentSettings.times(8, 600);
    private static final int PIPELINED = 12;
    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";
    private static final String LIVE = "GET /health/live" + HOST + "\r\n";

    private final RandomInput nonsense = new RandomInput(SEED);

    @Test
    void a_request_with_some_bytes_spoilt_is_answered_decently_or_not_at_all(AttackedService target) throws Exception {
        RandomRequest attack = new RandomRequest(target, nonsense);
        List<Endpoint> endpoints = new ArrayList<>(Endpoint.all());
        endpoints.removeIf(endpoint -> endpoint.isAboutSessions() && endpoint.changes());
        int answers = 0;
        int described = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (Endpoint endpoint : endpoints) {
                String sent = spoilt(attack.right(endpoint));
                List<RawAnswer> all = all(target, sent);
                answers += all.size();
                described += isLineWhole(sent) && !all.isEmpty() && all.get(0).requireDescribed(endpoint, sent) ? 1 : 0;
            }
        }
        System.out.printf(
                "%d spoilt requests, %d answers, %d of operations, seed %d%n",
                ROUNDS * endpoints.size(), answers, described, SEED);

        assertThat(answers).isPositive();
        assertThat(described).isPositive();
        target.requireUnharmed();
    }

    /** Whether the request can still be recognised. */
    private static boolean isLineWhole(String sent) {
        return sent.matches("(?s)[A-Z]+ [!-~]+ HTTP/1\\.1\r\n.*");
    }

    /** Changed here and there, cut off, or twice in a row. */
    private String spoilt(String right) {
        return switch (nonsense.random().nextInt(4)) {
            case 0 -> right.substring(0, nonsense.random().nextInt(right.length()));
            case 1 -> right + nonsense.bytes(right, 3);
            default -> nonsense.bytes(right, 1 + nonsense.random().nextInt(6));
        };
    }

    @Test
    void requests_that_come_all_at_once_are_answered_one_after_the_other(AttackedService target) throws Exception {
        assertThat(all(target, LIVE.repeat(PIPELINED))).hasSize(PIPELINED).allMatch(answer -> answer.status() == 200);
    }

    /** What two servers in a row could read differently: one answer at most, and nothing behind it is a request. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
                "Transfer-Encoding: chunked, identity\r\n",
                "Transfer-Encoding: xchunked\r\n",
                "Transfer-Encoding : chunked\r\n",
                "Transfer-Encoding:\u000bchunked\r\n",
                " Transfer-Encoding: chunked\r\n",
                "Content-Length: 0\r\nContent-Length: 4\r\n",
                "Content-Length: 0, 4\r\n",
                "Content-Length: +0\r\n",
                "Content-Length: 0x0\r\n",
                "Content-Length: 99999999999999999999\r\n",
                "Content-Length: -0\r\n",
                "X: a\rb\r\n",
                "X: a\u0000b\r\n",
                "X\r\n",
                ": x\r\n",
                "X Y: z\r\n",
                "Host: another\r\n"
            })
    void a_head_that_can_be_read_in_two_ways_is_refused(String header, AttackedService target) throws Exception {
        List<RawAnswer> answers =
                all(target, "POST /api/agent/v1/policy/validate" + HOST + header + "\r\n0\r\n\r\n" + LIVE);

        assertThat(answers).hasSizeLessThanOrEqualTo(1).allMatch(answer -> answer.status() == 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/9.9", "HTTP/2.0", "HTTP/1.10", "HTTP/0.9", "HTTPS/1.1", "http/1.1", "", "HTTP/1.1 x"})
    void a_version_that_there_is_not_is_the_callers_fault(String version, AttackedService target) throws Exception {
        assertThat(all(target, "GET /health/live " + version + "\r\nHost: localhost\r\n\r\n"))
                .allMatch(answer -> answer.status() < 500);
    }

    /** All answers until the server closes, which it does soon, each looked at. */
    private List<RawAnswer> all(AttackedService target, String bytes) throws IOException {
        return TimedExchange.ask(() -> "seed " + SEED + "\n" + RandomRequest.shown(bytes), () -> sent(target, bytes));
    }

    private List<RawAnswer> sent(AttackedService target, String bytes) throws IOException {
        List<RawAnswer> answers = new ArrayList<>();
        try (RawConnection wire = new RawConnection(target.address)) {
            wire.send(bytes);
            wire.endOfRequest();
            boolean isHead = bytes.startsWith("HEAD ");
            for (Optional<RawAnswer> next = wire.answer(isHead); next.isPresent(); next = wire.answer(isHead)) {
                assertThat(next.orElseThrow().indecency())
                        .as("seed %d\n%s\n%s", SEED, RandomRequest.shown(bytes), next)
                        .isEmpty();
                answers.add(next.orElseThrow());
            }
        }
        return answers;
    }
}
