package dev.agentpolicy.app.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.port.signin.Passwords.HashQueue;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class Argon2PasswordsTest {
    private final Argon2Passwords passwords = new Argon2Passwords(2, Argon2Passwords.Cost.OWASP);

    @Test
    void a_password_matches_its_own_hash_only() {
        String hash = passwords.hash("correct horse battery");

        assertThat(passwords.matches("correct horse battery", hash, HashQueue.SIGN_IN))
                .isTrue();
        assertThat(passwords.matches("correct horse battery ", hash, HashQueue.SIGN_IN))
                .isFalse();
        assertThat(passwords.matches("", hash, HashQueue.SIGN_IN)).isFalse();
    }

    @Test
    void a_password_may_hold_any_character() {
        String password = "pässwörd \u2028 \uD83D\uDD11 密码";

        assertThat(passwords.matches(password, passwords.hash(password), HashQueue.SIGN_IN))
                .isTrue();
        assertThat(passwords.matches("password \u2028 \uD83D\uDD11 密码", passwords.hash(password), HashQueue.SIGN_IN))
                .isFalse();
    }

    @Test
    void equal_passwords_have_different_hashes() {
        assertThat(passwords.hash("correct horse battery")).isNotEqualTo(passwords.hash("correct horse battery"));
    }

    @Test
    void the_hash_names_its_parameters() {
        assertThat(passwords.hash("correct horse battery")).startsWith("$argon2id$v=19$m=19456,t=2,p=1$");
    }

    @Test
    void a_missing_user_takes_as_long_as_a_wrong_password() {
        String hash = passwords.hash("correct horse battery");
        for (int i = 0; i < 5; i++) {
            passwords.matches("battery", hash, HashQueue.SIGN_IN);
        }
        long[] somebodys = new long[9];
        long[] nobodys = new long[9];
        for (int i = 0; i < 9; i++) {
            somebodys[i] = nanos(hash);
            nobodys[i] = nanos(null);
        }
        Arrays.sort(somebodys);
        Arrays.sort(nobodys);

        assertThat((double) nobodys[4] / somebodys[4]).isBetween(0.5, 2.0);
    }

    private long nanos(@Nullable String hash) {
        long begun = System.nanoTime();
        assertThat(passwords.matches("battery", hash, HashQueue.SIGN_IN)).isFalse();
        return System.nanoTime() - begun;
    }

    @Test
    void a_damaged_hash_is_a_bug_and_no_mismatch() {
        assertThatThrownBy(() -> passwords.matches("correct horse battery", "x", HashQueue.SIGN_IN))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_flood_is_turned_away_but_for_those_who_fit() {
        Argon2Passwords one = new Argon2Passwords(1, Argon2Passwords.Cost.OWASP);
        ExecutorService crowd = Executors.newFixedThreadPool(40);
        try {
            List<CompletableFuture<String>> hashes = IntStream.range(0, 40)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> one.hash("password " + i), crowd))
                    .toList();

            List<String> outcomes =
                    hashes.stream().map(Argon2PasswordsTest::outcome).toList();

            assertThat(outcomes).contains("hashed", "Too many people sign in or up at this moment; try again.");
            assertThat(outcomes).containsOnly("hashed", "Too many people sign in or up at this moment; try again.");
        } finally {
            crowd.shutdown();
        }
    }

    @Test
    void a_flood_of_sign_ups_turns_no_sign_in_away() {
        Argon2Passwords one = new Argon2Passwords(1, Argon2Passwords.Cost.OWASP);
        String hash = one.hash("correct horse battery");
        ExecutorService crowd = Executors.newFixedThreadPool(24);
        try {
            List<CompletableFuture<String>> flood = IntStream.range(0, 72)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> one.hash("password " + i), crowd))
                    .toList();
            for (int i = 0; i < 5; i++) {
                assertThat(one.matches("correct horse battery", hash, HashQueue.SIGN_IN))
                        .isTrue();
            }

            assertThat(flood.stream().map(Argon2PasswordsTest::outcome))
                    .contains("Too many people sign in or up at this moment; try again.");
        } finally {
            crowd.shutdown();
        }
    }

    private static String outcome(CompletableFuture<String> hash) {
        try {
            return hash.join().isEmpty() ? "empty" : "hashed";
        } catch (CompletionException refused) {
            return refused.getCause() instanceof Unavailable busy ? busy.getMessage() : refused.toString();
        }
    }
}
