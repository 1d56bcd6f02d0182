package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.RequestMails;
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

    @Test
    default void an_address_is_replaced_unless_another_user_has_it() {
        User user = new User(StoreSamples.user(), address(), "hash", StoreSamples.START);
        User other = new User(StoreSamples.user(), address(), "hash", StoreSamples.START);
        String next = address();
        ports().users().add(user);
        ports().users().add(other);

        assertThat(ports().users().setEmail(user.id(), other.email(), true)).isFalse();
        assertThat(ports().users().byId(user.id())).contains(user);
        assertThat(ports().users().setEmail(user.id(), next, true)).isTrue();
        assertThat(ports().users().byEmail(next).orElseThrow().id()).isEqualTo(user.id());
        assertThat(ports().users().byEmail(user.email())).isEmpty();
    }

    @Test
    default void an_address_is_not_confirmed_until_it_is_and_only_while_the_user_has_it() {
        User user = new User(StoreSamples.user(), address(), "hash", StoreSamples.START);
        User other = new User(StoreSamples.user(), address(), "hash", StoreSamples.START);
        ports().users().add(user);
        ports().users().add(other);
        assertThat(isConfirmed(user)).isFalse();

        ports().users().confirmEmail(user.id(), address());
        assertThat(isConfirmed(user)).isFalse();
        ports().users().confirmEmail(user.id(), user.email());
        assertThat(isConfirmed(user)).isTrue();
        assertThat(isConfirmed(other)).isFalse();

        ports().users().setPassword(user.id(), "next");
        ports().users().setRequestMails(user.id(), RequestMails.OFF);
        assertThat(isConfirmed(user)).isTrue();
        ports().users().setEmail(user.id(), address(), false);
        assertThat(isConfirmed(user)).isFalse();
        ports().users().setEmail(user.id(), address(), true);
        assertThat(isConfirmed(user)).isTrue();
    }

    private boolean isConfirmed(User user) {
        return ports().users().byId(user.id()).orElseThrow().isEmailConfirmed();
    }

    @Test
    default void a_user_chooses_the_mails_of_requests() {
        User user = new User(StoreSamples.user(), address(), "hash", StoreSamples.START);
        ports().users().add(user);
        assertThat(ports().users().byId(user.id()).orElseThrow().requestMails()).isEqualTo(RequestMails.PLAIN);

        ports().users().setRequestMails(user.id(), RequestMails.WITH_AMOUNTS);

        assertThat(ports().users().byId(user.id()).orElseThrow().requestMails()).isEqualTo(RequestMails.WITH_AMOUNTS);
    }

    private static String address() {
        return "anna." + UUID.randomUUID() + "@example.org";
    }
}
