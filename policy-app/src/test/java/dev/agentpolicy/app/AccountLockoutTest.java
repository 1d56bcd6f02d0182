package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** Callers without the password try to lock a user out of the account. */
@OnEveryDatabase
class AccountLockoutTest {
    private static final int CONNECTIONS = 24;
    private static final int MIN_TRIES = 5;
    private static final long FLOOD_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final AtomicInteger PEOPLE = new AtomicInteger();
    private static final String RIGHT = "correct horse battery";
    private static final String WRONG = "wrong horse battery";

    @Parameter
    Database database;

    private String url;
    private ServiceNode node;
    private Path folder;

    @BeforeParameterizedClassInvocation(injectArguments = false)
    void start(@TempDir Path emptyFolder) {
        folder = emptyFolder;
        url = database.fresh(folder);
        node = ServiceNode.start(folder, url, settings("0"));
    }

    @AfterParameterizedClassInvocation(injectArguments = false)
    void stop() {
        node.close();
    }

    @Test
    void a_flood_of_sign_ups_does_not_keep_out_a_right_password() throws Exception {
        ApiCaller owner = node.caller().with("X-Forwarded-For", "192.0.2.1");
        String email = signedUp(owner);

        List<Integer> answers = whileFlooded(
                i -> node.caller()
                        .with("X-Forwarded-For", "198.51.100." + i)
                        .post(APP + "users", login(fresh(), RIGHT)),
                () -> owner.post(APP + "session", login(email, RIGHT)).status());

        assertThat(answers).containsOnly(200);
    }

    @Test
    void a_flood_of_sign_ins_does_not_lock_out_a_known_browser() throws Exception {
        ApiCaller stranger = node.caller().with("X-Forwarded-For", "192.0.2.2");
        String email = signedUp(stranger);
        ApiCaller owner = stranger.with("Cookie", device(stranger.post(APP + "session", login(email, RIGHT))));

        List<Integer> answers = whileFlooded(
                i -> node.caller()
                        .with("X-Forwarded-For", "198.51.100." + (100 + i))
                        .post(APP + "session", login(i % 2 == 0 ? email : fresh(), WRONG)),
                () -> owner.post(APP + "session", login(email, RIGHT)).status());

        assertThat(answers).containsOnly(200);
    }

    @Test
    void fifty_wrong_passwords_from_ten_addresses_do_not_lock_out_a_known_browser() {
        ApiCaller stranger = node.caller().with("X-Forwarded-For", "192.0.2.3");
        String email = signedUp(stranger);
        String device = device(stranger.post(APP + "session", login(email, RIGHT)));
        int compared = 0;
        for (int i = 0; i < 60; i++) {
            Seen guess = node.caller()
                    .with("X-Forwarded-For", "203.0.113." + i % 10)
                    .post(APP + "session", login(email, WRONG));
            compared += guess.status() == 401 ? 1 : 0;
        }
        assertThat(compared).describedAs("guesses of strangers").isEqualTo(50);
        assertThat(stranger.post(APP + "session", login(email, RIGHT)).status())
                .describedAs("an unknown browser")
                .isEqualTo(429);

        assertThat(stranger.with("Cookie", device)
                        .post(APP + "session", login(email, RIGHT))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void one_address_has_ten_sign_ups_an_hour() throws Exception {
        try (ServiceNode budgeted =
                ServiceNode.start(folder, database.fresh(folder.resolve("budgeted")), settings("10"))) {
            ApiCaller attacker = budgeted.caller().with("X-Forwarded-For", "2001:db8::1");
            List<Seen> answers = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                answers.add(attacker.post(APP + "users", login(fresh(), RIGHT)));
            }

            assertThat(answers.subList(0, 10)).extracting(Seen::status).containsOnly(201);
            assertThat(answers.subList(10, 12)).allSatisfy(seen -> {
                assertThat(seen.status()).isEqualTo(429);
                assertThat(seen.json().get("error").textValue()).isEqualTo("sign_up_throttled");
                assertThat(Integer.parseInt(seen.header("Retry-After"))).isBetween(3_500, 3_600);
            });
            assertThat(budgeted.caller()
                            .with("X-Forwarded-For", "2001:db8:0:1::1")
                            .post(APP + "users", login(fresh(), RIGHT))
                            .status())
                    .isEqualTo(201);
        }
    }

    /** Does something at least five times and for two seconds, while 24 connections do something else without a pause. */
    private static <T> List<T> whileFlooded(IntConsumer flood, Supplier<T> work) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService crowd = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<?>> floods = IntStream.range(0, CONNECTIONS)
                    .<Future<?>>mapToObj(i -> crowd.submit(() -> {
                        while (!isOver.get()) {
                            flood.accept(i);
                        }
                    }))
                    .toList();
            List<T> results = new ArrayList<>();
            long begun = System.nanoTime();
            while (results.size() < MIN_TRIES || System.nanoTime() - begun < FLOOD_NANOS) {
                results.add(work.get());
            }
            isOver.set(true);
            for (Future<?> each : floods) {
                each.get();
            }
            return results;
        } finally {
            isOver.set(true);
            crowd.shutdown();
        }
    }

    private static Map<String, String> settings(String signUpsPerHour) {
        Map<String, String> settings = new HashMap<>();
        settings.put("POLICY_TRUST_PROXY", "yes");
        settings.put("POLICY_SIGNUPS_PER_HOUR", signUpsPerHour);
        return settings;
    }

    private static String signedUp(ApiCaller caller) {
        String email = fresh();
        caller.post(APP + "users", login(email, RIGHT)).ok();
        return email;
    }

    private static String fresh() {
        return "person" + PEOPLE.incrementAndGet() + "@example.net";
    }

    private static String login(String email, String password) {
        return "{\"email\":\"" + email + "\",\"password\":\"" + password + "\"}";
    }

    /** The cookie by which a browser is known that signed in. */
    private static String device(Seen signedIn) {
        String cookie = signedIn.ok().headers().allValues("Set-Cookie").get(1);
        return cookie.substring(0, cookie.indexOf(';'));
    }
}
