package dev.agentpolicy.adapter.http.wire;

import static dev.agentpolicy.adapter.http.Client.VALIDATE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.SlowAccounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ServerStopTest {

    @Test
    void an_accepted_call_is_answered_while_the_server_stops() throws Exception {
        SlowAccounts slow = new SlowAccounts();
        TestService service =
                new TestService(slow::before, HttpConfig.of("127.0.0.1", 0, List.of()), true).withPolicyAndPortfolio();
        slow.isSlow = true;
        String key = service.key();
        List<CompletableFuture<Seen>> calls = List.of(call(service, key), call(service, key), call(service, key));
        while (slow.arrived.get() < 3) {
            Thread.sleep(5);
        }

        CompletableFuture<Void> stopping = CompletableFuture.runAsync(service::close, task -> new Thread(task).start());
        Thread.sleep(500);
        assertThat(stopping).as("the stop waits for the calls").isNotDone();
        slow.commit.complete(true);

        assertThat(calls)
                .allSatisfy(call ->
                        assertThat(call.get(10, TimeUnit.SECONDS).status()).isEqualTo(200));
        stopping.get(10, TimeUnit.SECONDS);
        assertThatThrownBy(() -> new Client(service.server.address()).get("/"))
                .hasCauseInstanceOf(ConnectException.class);
    }

    @RepeatedTest(6)
    void every_recorded_call_is_answered_while_new_calls_arrive() throws Exception {
        TestService service = new TestService().withPolicyAndPortfolio();
        AtomicInteger answered = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String key = service.key();
            callers.add(new Thread(() -> callOn(service, key, answered)));
        }
        long before = service.store.eventLog().head(service.user).seq();
        callers.forEach(Thread::start);
        while (answered.get() < 50) {
            Thread.sleep(5);
        }

        service.close();

        // A client that connected just as the server stopped listening is cut off when the process ends, or gives up.
        for (Thread caller : callers) {
            caller.join(30_000);
            assertThat(caller.isAlive()).isFalse();
        }
        assertThat(service.store.eventLog().head(service.user).seq() - before).isEqualTo(answered.get());
    }

    /** Calls on one persistent connection until the server is gone. */
    private static void callOn(TestService service, String key, AtomicInteger answered) {
        Client client = new Client(service.server.address()).withKey(key);
        try {
            while (true) {
                service.clock.advance(Duration.ofSeconds(1));
                Seen seen = client.post(VALIDATE, TRADE);
                assertThat(seen.status()).isEqualTo(200);
                answered.incrementAndGet();
            }
        } catch (UncheckedIOException gone) {
            assertThat(gone).hasCauseInstanceOf(IOException.class);
        }
    }

    private static CompletableFuture<Seen> call(TestService service, String key) {
        CompletableFuture<Seen> seen = new CompletableFuture<>();
        new Thread(() -> seen.complete(
                        new Client(service.server.address()).withKey(key).post(VALIDATE, TRADE)))
                .start();
        return seen;
    }
}
