package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.User;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of {@link Users}. */
public interface UsersContract extends StoreContract {

    @Test
    default void a_user_is_found_by_address_in_any_case_and_by_id() {
        User user = new User(StoreSamples.user(), address(), "$argon2id$v=19$...", StoreSamples.START);

        assertThat(ports().users().add(user)).isTrue();
        assertThat(ports().users().byEmail(user.email())).contains(user);
        assertThat(ports().users().byEmail(user.email().toUpperCase(Locale.ROOT)))
                .contains(user);
        assertThat(ports().users().byId(user.id())).contains(user);
    }

    @Test
    default void an_address_can_be_used_once() {
        User first = new User(StoreSamples.user(), address(), "one", StoreSamples.START);
        User second = new User(StoreSamples.user(), first.email(), "two", StoreSamples.START);

        assertThat(ports().users().add(first)).isTrue();
        assertThat(ports().users().add(second)).isFalse();
        assertThat(ports().users().byEmail(first.email())).contains(first);
        assertThat(ports().users().byId(second.id())).isEmpty();
    }

    @Test
    default void an_unknown_user_is_not_found() {
        assertThat(ports().users().byEmail(address())).isEmpty();
        assertThat(ports().users().byId(StoreSamples.user())).isEmpty();
    }

    @Test
    default void setting_a_password_changes_nothing_else() {
        User user = new User(StoreSamples.user(), address(), "old", StoreSamples.START);
        User other = new User(StoreSamples.user(), address(), "other", StoreSamples.START);
        ports().users().add(user);
        ports().users().add(other);

        ports().users().setPassword(user.id(), "new");
        ports().users().setPassword(StoreSamples.user(), "of nobody");

        assertThat(ports().users().byEmail(user.email()))
                .contains(new User(user.id(), user.email(), "new", user.createdAt()));
        assertThat(ports().users().byEmail(other.email())).contains(other);
    }

    private static String address() {
        return "anna." + UUID.randomUUID() + "@example.org";
    }
}
