package dev.agentpolicy.app;

import static dev.agentpolicy.app.ConnectingClient.CONSENT;
import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The service is killed (SIGKILL) at any moment while a program exchanges codes and refreshes tokens. The program repeats with the
 * next process what was not answered: a refresh then gives tokens, and a code does too or the user is asked once more. On both
 * databases together 6 times, with {@code -Plong} 60 times, or {@code -Dkills=}.
 */
class KilledConnectionTest {
    private static final int KILLS = ExperimentSettings.times("kills", 6, 60) / Database.values().length;
    private static final int MAX_ANSWERS = 12;
    private static final int PAUSE_MILLIS = 50;
    private static final int TOO_MANY = 429;

    private final long seed = ExperimentSettings.seed(KilledConnectionTest.class);
    private final Random random = new Random(seed);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void no_program_is_locked_out_by_an_answer_that_was_lost(Database database) throws Exception {
        String url = database.fresh(folder);
        Program program;
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            program = new Program(
                    TestHousehold.withPolicy(node.caller()),
                    ConnectingClient.registered(node.caller(), "http://127.0.0.1/callback"),
                    new Random(seed));
            program.connect();
        }
        for (int kill = 0; kill < KILLS; kill++) {
            try (ServiceProcess process =
                    ServiceProcess.start(folder, ServiceNode.environment(folder, url, Map.of()))) {
                program.at(process.address());
                program.recover();
                int answers = program.answers + random.nextInt(MAX_ANSWERS);
                Thread running = new Thread(program::run);
                running.start();
                while (running.isAlive() && (program.answers < answers || !program.isAsking)) {
                    Thread.onSpinWait();
                }
                LockSupport.parkNanos((long) (random.nextDouble() * program.nanos));
                process.kill();
                process.exitCode();
                running.join();
                if (program.failure != null) {
                    throw program.failure;
                }
            }
        }
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            program.at(node.caller().address());
            program.recover();
        }
        System.out.printf(
                "%s, seed %d: %d kills, of which %d took the answer of a code and %d that of a refresh; %d times the user"
                        + " was asked once more%n",
                database, seed, KILLS, program.lostCodes, program.lostRefreshes, program.askedAgain);
    }

    /** A program that never stops to connect itself and to refresh. */
    private static final class Program {
        private final Random random;
        private TestHousehold user;
        private ConnectingClient client;
        private String code;
        private boolean isRefreshing;
        private String refreshToken;
        private String accessToken;
        private int lostCodes;
        private int lostRefreshes;
        private int askedAgain;
        private volatile int answers;
        private volatile boolean isAsking;
        private volatile long nanos;
        private volatile AssertionError failure;

        Program(TestHousehold user, ConnectingClient client, Random random) {
            this.user = user;
            this.client = client;
            this.random = random;
        }

        /** Goes on with the next process; the user signs in there. */
        void at(String address) {
            TestHousehold here = new TestHousehold(user.user().at(address), user.userId());
            user = new TestHousehold(here.user().in(SessionRing.of(here)), user.userId());
            client = new ConnectingClient(new ApiCaller(address), client.id(), client.redirectUri());
        }

        void run() {
            try {
                while (true) {
                    if (random.nextBoolean()) {
                        connect();
                    } else {
                        refresh();
                    }
                    works();
                }
            } catch (UncheckedIOException killed) {
                // What was not answered is repeated with the next process.
            } catch (AssertionError failed) {
                failure = failed;
            }
        }

        /** Has the user consent, and exchanges the code. */
        void connect() {
            code = client.consented(user, CONSENT);
            take(answered(() -> client.exchange(code)));
        }

        private void refresh() {
            isRefreshing = true;
            take(answered(() -> client.refresh(refreshToken)));
        }

        private void take(Seen seen) {
            JsonNode tokens = seen.ok().json();
            refreshToken = tokens.get("refresh_token").textValue();
            accessToken = tokens.get("access_token").textValue();
            code = null;
            isRefreshing = false;
            answers++;
        }

        private void works() {
            assertThat(client.service().withKey(accessToken).get(API + "whoami").status())
                    .isEqualTo(200);
        }

        void recover() {
            if (code == null) {
                lostRefreshes += isRefreshing ? 1 : 0;
                works();
                refresh();
            } else {
                lostCodes++;
                Seen again = answered(() -> client.exchange(code));
                if (again.status() == 200) {
                    take(again);
                } else {
                    assertThat(again.text()).contains("invalid_grant");
                    askedAgain++;
                    connect();
                }
            }
            works();
            assertThat(user.user().get(APP + "keys").ok().json().get("keys"))
                    .filteredOn(key -> key.get("revokedAt").isNull())
                    .hasSize(1);
        }

        /** Waits while its address makes too many calls a second. */
        private Seen answered(Supplier<Seen> call) {
            Seen seen = asked(call);
            while (seen.status() == TOO_MANY) {
                try {
                    Thread.sleep(PAUSE_MILLIS);
                } catch (InterruptedException stopped) {
                    throw new AssertionError(stopped);
                }
                seen = asked(call);
            }
            return seen;
        }

        /** Notes how long such a call takes, so that a kill hits any moment of it. */
        private Seen asked(Supplier<Seen> call) {
            isAsking = true;
            long begun = System.nanoTime();
            try {
                Seen seen = call.get();
                nanos = System.nanoTime() - begun;
                return seen;
            } finally {
                isAsking = false;
            }
        }
    }
}
