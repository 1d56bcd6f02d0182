package dev.agentpolicy.domain.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The text and order of users, keys and budgets. */
class NamesTest {
    private static final UUID LOW = UUID.fromString("0fffffff-0000-4000-8000-000000000000");
    private static final UUID HIGH = UUID.fromString("f0000000-0000-4000-8000-000000000000");

    @Test
    void users_are_ordered_as_their_ids_are_written() {
        assertThat(new UserId(LOW)).isLessThan(new UserId(HIGH));
        assertThat(new UserId(HIGH)).isGreaterThan(new UserId(LOW));
        assertThat(new UserId(LOW)).isEqualByComparingTo(new UserId(LOW)).hasToString(LOW.toString());
    }

    @Test
    void a_user_is_printed_without_address_and_password() {
        User user = new User(new UserId(LOW), "anna@example.org", "hash", Instant.EPOCH);

        assertThat(user).hasToString("User[" + LOW + "]");
    }

    @Test
    void a_full_budget_admits_the_call() {
        assertThat(RateBudget.full(50)).isEqualTo(new RateBudget(50, 50, 1, true));
    }

    @Test
    void a_budget_admits_its_last_call_but_no_further_one() {
        assertThat(RateBudget.after(1, 50)).isEqualTo(new RateBudget(50, 49, 1, true));
        assertThat(RateBudget.after(50, 50)).isEqualTo(new RateBudget(50, 0, 1, true));
        assertThat(RateBudget.after(51, 50)).isEqualTo(new RateBudget(50, 0, 1, false));
        assertThat(RateBudget.after(90, 50)).isEqualTo(new RateBudget(50, 0, 1, false));
    }
}
