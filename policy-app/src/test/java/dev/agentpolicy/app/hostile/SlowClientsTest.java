package dev.agentpolicy.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.app.TestHousehold;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that hold connections or send slowly do not delay other callers. */
@ExtendWith(AttackedService.Shared.class)
class SlowClientsTest {
    private static final int SLOW_ONES = 400;
    private static final int IDLE_ONES = 1_000;
    private static final int CALLS = 11;
    private static final long QUICK_MILLIS = 1_000;
    private static final String JSON = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    private static final String SESSION = "POST " + TestHousehold.APP + "session" + JSON;

    private final List<RawConnection> guests = new ArrayList<>();

    @AfterEach
    void leave() throws IOException {
        for (RawConnection guest : guests) {
            guest.close();
        }
    }

    @Test
    void a_thousand_who_say_nothing(AttackedService target) throws IOException {
        come(target, IDLE_ONES, "");

        requireQuick(target);
    }

    @Test
    void many_whose_heads_do_not_end(AttackedService target) throws IOException {
        come(target, SLOW_ONES, "GET / HTTP/1.1\r\nHost: loc");

        requireQuick(target);
    }

    @Test
    void many_strangers_whose_bodies_do_not_come(AttackedService target) throws IOException {
        come(target, SLOW_ONES, SESSION + "Content-Length: 100\r\n\r\n{");

        requireQuick(target);
    }

    @Test
    void many_agents_whose_chunks_do_not_come(AttackedService target) throws IOException {
        come(
                target,
                SLOW_ONES,
                "POST " + TestHousehold.API + "policy/validate" + JSON + "Authorization: Bearer " + target.key
                        + "\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n");

        requireQuick(target);
    }

    @Test
    void many_who_do_not_read_their_answers(AttackedService target) throws IOException {
        String wanted = "GET " + TestHousehold.API + "openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
        come(target, SLOW_ONES / 4, wanted.repeat(20));

        requireQuick(target);
    }

    @Test
    void a_body_that_is_too_large_is_refused_before_it_is_read(AttackedService target) throws IOException {
        RawConnection wire = come(target, 1, SESSION + "Content-Length: 10000000000\r\n\r\n[[[[")
                .get(0);

        RawAnswer answer = wire.answer(false).orElseThrow();

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.indecency()).isEmpty();
        assertThat(wire.rest()).isZero();
    }

    @Test
    void a_body_that_never_ends_is_refused_and_cut_off(AttackedService target) throws IOException {
        RawConnection wire =
                come(target, 1, SESSION + "Transfer-Encoding: chunked\r\n\r\n").get(0);

        assertThatThrownBy(() -> forEver(wire, "1000\r\n" + "[".repeat(4096) + "\r\n"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void a_head_that_never_ends_is_cut_off(AttackedService target) throws IOException {
        RawConnection one =
                come(target, 1, "GET / HTTP/1.1\r\nHost: localhost\r\n").get(0);

        assertThatThrownBy(() -> forEver(one, "X-Bomb: " + "x".repeat(80) + "\r\n"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void heads_that_are_too_large_are_refused(AttackedService target) throws IOException {
        for (String bomb :
                List.of("X: " + "x".repeat(20_000) + "\r\n", "X: y\r\n".repeat(3_000), "x".repeat(9_000) + ": y\r\n")) {
            RawConnection wire = come(target, 1, "GET / HTTP/1.1\r\nHost: localhost\r\n" + bomb + "\r\n")
                    .get(0);
            RawAnswer answer = wire.answer(false).orElseThrow();
            assertThat(answer.status()).isEqualTo(431);
            assertThat(answer.indecency()).isEmpty();
            wire.close();
        }
        RawConnection wire = come(target, 1, "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .get(0);
        assertThat(wire.answer(false).orElseThrow().status()).isEqualTo(414);
    }

    private List<RawConnection> come(AttackedService target, int count, String begin) throws IOException {
        List<RawConnection> come = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RawConnection wire = new RawConnection(target.address);
            guests.add(wire);
            come.add(wire);
            wire.send(begin);
        }
        return come;
    }

    /** The one in the middle counts: a machine may be slow now and then. */
    private static void requireQuick(AttackedService target) {
        List<Long> took = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            long begun = System.nanoTime();
            target.agent
                    .post(TestHousehold.API + "policy/validate", TestHousehold.trade("buy", "SPY", "tradfi", "1"))
                    .ok();
            target.household.user().get(TestHousehold.APP + "me").ok();
            took.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
        }
        assertThat(took.stream().sorted().toList().get(CALLS / 2)).isLessThan(QUICK_MILLIS);
    }

    private static void forEver(RawConnection wire, String more) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < deadline) {
            wire.send(more);
        }
    }
}
