package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.NoticeSettings.QuietHours;
import dev.agentpolicy.domain.agent.RequestNotices;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import dev.agentpolicy.domain.port.signin.Users.EmailConfirmation;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of {@link Users}. */
public interface UsersContract extends StoreContract {
    NoticeSettings OTHER_NOTICES = new NoticeSettings(
            RequestNotices.OFF,
            RequestNotices.WITH_AMOUNTS,
            new QuietHours(LocalTime.of(22, 0), LocalTime.of(6, 30), ZoneId.of("Europe/Berlin")),
            60);

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

        assertThat(ports().users().setEmail(user.id(), other.email(), true, StoreSamples.START, null))
                .isFalse();
        assertThat(ports().users().byId(user.id())).contains(user);
        assertThat(ports().users().setEmail(user.id(), next, true, StoreSamples.START, null))
                .isTrue();
        assertThat(ports().users().byEmail(next).orElseThrow().id()).isEqualTo(user.id());
        assertThat(ports().users().byEmail(user.email())).isEmpty();
    }

    @Test
    default void it_is_known_when_a_password_was_last_reset_by_mail_or_an_address_changed() {
        User user = added();
        Instant later = StoreSamples.START.plusSeconds(1);
        assertThat(recoveredAt(user)).isNull();

        ports().users().changePassword(user.id(), "next", null, null);
        confirm(tokenFor(user, Purpose.EMAIL_CONFIRMATION, user.email()));
        assertThat(recoveredAt(user)).isNull();
        ports().users()
                .resetPassword(tokenFor(user, Purpose.PASSWORD_RESET, user.email()), StoreSamples.START, "reset");
        assertThat(recoveredAt(user)).isEqualTo(StoreSamples.START);
        ports().users().setEmail(user.id(), address(), true, later, null);
        assertThat(recoveredAt(user)).isEqualTo(later);
        confirm(tokenFor(user, Purpose.EMAIL_CONFIRMATION, address()));
        assertThat(recoveredAt(user)).isEqualTo(StoreSamples.START);
        ports().users().changePassword(user.id(), "last", null, null);
        ports().users().setNotices(user.id(), OTHER_NOTICES);
        assertThat(recoveredAt(user)).isEqualTo(StoreSamples.START);
    }

    private @Nullable Instant recoveredAt(User user) {
        return ports().users().byId(user.id()).orElseThrow().recoveredAt();
    }

    @Test
    default void an_address_is_not_confirmed_until_it_is_and_only_while_the_user_has_it() {
        User user = new User(StoreSamples.user(), address(), "hash", StoreSamples.START);
        User other = new User(StoreSamples.user(), address(), "hash", StoreSamples.START);
        ports().users().add(user);
        ports().users().add(other);
        assertThat(isConfirmed(user)).isFalse();

        assertThat(confirm(tokenFor(user, Purpose.EMAIL_CONFIRMATION, user.email())))
                .isEqualTo(EmailConfirmation.CONFIRMED);
        assertThat(isConfirmed(user)).isTrue();
        assertThat(isConfirmed(other)).isFalse();

        ports().users().setPassword(user.id(), "next");
        ports().users().setNotices(user.id(), OTHER_NOTICES);
        assertThat(isConfirmed(user)).isTrue();
        ports().users().setEmail(user.id(), address(), false, StoreSamples.START, null);
        assertThat(isConfirmed(user)).isFalse();
        ports().users().setEmail(user.id(), address(), true, StoreSamples.START, null);
        assertThat(isConfirmed(user)).isTrue();
    }

    @Test
    default void a_changed_password_ends_sessions_devices_and_links_but_what_is_kept() {
        User user = added();
        User other = added();
        String kept = signedIn(user);
        String ended = signedIn(user);
        String ofAnother = signedIn(other);
        String reset = tokenFor(user, Purpose.PASSWORD_RESET, user.email());
        String confirmation = tokenFor(user, Purpose.EMAIL_CONFIRMATION, user.email());

        ports().users().changePassword(user.id(), "next", kept, kept);

        assertThat(ports().users().byId(user.id()).orElseThrow().passwordHash()).isEqualTo("next");
        assertThat(List.of(isIn(kept), isIn(ended), isIn(ofAnother))).containsExactly(true, false, true);
        assertThat(List.of(isKnown(kept), isKnown(ended), isKnown(ofAnother))).containsExactly(true, false, true);
        assertThat(find(reset, Purpose.PASSWORD_RESET)).isEmpty();
        assertThat(find(confirmation, Purpose.EMAIL_CONFIRMATION)).isEmpty();
        assertThat(ports().users().byId(other.id())).contains(other);

        ports().users().changePassword(user.id(), "last", null, null);
        assertThat(isIn(kept) || isKnown(kept)).isFalse();
        ports().users().changePassword(StoreSamples.user(), "of nobody", null, null);
    }

    @Test
    default void a_link_sets_the_password_once_and_confirms_the_address_it_was_sent_to() {
        User user = added();
        String session = signedIn(user);
        String token = tokenFor(user, Purpose.PASSWORD_RESET, user.email());
        Instant end = StoreSamples.START.plusSeconds(60);

        assertThat(ports().users().resetPassword(token, end, "late")).isEmpty();
        assertThat(ports().users().resetPassword(StoreSamples.hash(), StoreSamples.START, "of nobody"))
                .isEmpty();
        assertThat(isIn(session)).isTrue();
        assertThat(ports().users().byId(user.id())).contains(user);

        assertThat(ports().users().resetPassword(token, StoreSamples.START, "next"))
                .contains(user.id());
        assertThat(ports().users().resetPassword(token, StoreSamples.START, "again"))
                .isEmpty();
        assertThat(ports().users().byId(user.id()).orElseThrow().passwordHash()).isEqualTo("next");
        assertThat(isConfirmed(user)).isTrue();
        assertThat(isIn(session) || isKnown(session)).isFalse();
    }

    @Test
    default void a_link_sent_to_a_former_address_does_not_confirm_the_present_one() {
        User user = added();
        String token = tokenFor(user, Purpose.PASSWORD_RESET, address());

        assertThat(ports().users().resetPassword(token, StoreSamples.START, "next"))
                .contains(user.id());
        assertThat(isConfirmed(user)).isFalse();
    }

    @Test
    default void a_confirmed_address_takes_the_place_of_the_present_one_and_ends_other_sessions() {
        User user = added();
        String kept = signedIn(user);
        String ended = signedIn(user);
        String reset = tokenFor(user, Purpose.PASSWORD_RESET, user.email());
        String next = address();
        String token = tokenFor(user, Purpose.EMAIL_CONFIRMATION, next);

        assertThat(ports().users().confirmEmail(token, StoreSamples.START, kept))
                .isEqualTo(EmailConfirmation.CONFIRMED);

        assertThat(ports().users().byEmail(next).orElseThrow().id()).isEqualTo(user.id());
        assertThat(isConfirmed(user)).isTrue();
        assertThat(List.of(isIn(kept), isIn(ended), isKnown(ended))).containsExactly(true, false, true);
        assertThat(find(reset, Purpose.PASSWORD_RESET)).isEmpty();
        assertThat(confirm(token)).isEqualTo(EmailConfirmation.NO_TOKEN);
    }

    @Test
    default void an_address_that_another_user_took_is_not_confirmed_and_changes_nothing() {
        User user = added();
        User other = added();
        String session = signedIn(user);
        String token = tokenFor(user, Purpose.EMAIL_CONFIRMATION, other.email());

        assertThat(confirm(token)).isEqualTo(EmailConfirmation.TAKEN);

        assertThat(ports().users().byId(user.id())).contains(user);
        assertThat(isIn(session)).isTrue();
        assertThat(find(token, Purpose.EMAIL_CONFIRMATION)).isPresent();
        assertThat(ports().users().confirmEmail(token, StoreSamples.START.plusSeconds(60), null))
                .isEqualTo(EmailConfirmation.NO_TOKEN);
    }

    private User added() {
        User user = new User(StoreSamples.user(), address(), "hash", StoreSamples.START);
        ports().users().add(user);
        return user;
    }

    /** Opens a session of a user on a device; both have the same hash. */
    private String signedIn(User user) {
        String hash = StoreSamples.hash();
        Instant end = StoreSamples.START.plusSeconds(60);
        ports().sessions().open(hash, StoreSamples.session(user.id(), StoreSamples.START, end));
        ports().devices().remember(hash, user.id(), StoreSamples.START, 10);
        return hash;
    }

    private boolean isIn(String session) {
        return ports().sessions().find(session).isPresent();
    }

    private boolean isKnown(String device) {
        return ports().devices()
                .find(device, StoreSamples.START.minusSeconds(1))
                .isPresent();
    }

    private String tokenFor(User user, Purpose purpose, String email) {
        String hash = StoreSamples.hash();
        ports().mailTokens().store(hash, new MailToken(user.id(), purpose, email, StoreSamples.START.plusSeconds(60)));
        return hash;
    }

    private Optional<MailToken> find(String token, Purpose purpose) {
        return ports().mailTokens().find(token, purpose, StoreSamples.START);
    }

    private EmailConfirmation confirm(String token) {
        return ports().users().confirmEmail(token, StoreSamples.START, null);
    }

    private boolean isConfirmed(User user) {
        return ports().users().byId(user.id()).orElseThrow().isEmailConfirmed();
    }

    @Test
    default void a_user_chooses_how_to_be_told_of_requests() {
        User user = new User(StoreSamples.user(), address(), "hash", StoreSamples.START);
        ports().users().add(user);
        assertThat(ports().users().byId(user.id()).orElseThrow().notices()).isEqualTo(NoticeSettings.DEFAULT);

        ports().users().setNotices(user.id(), OTHER_NOTICES);
        assertThat(ports().users().byId(user.id()).orElseThrow().notices()).isEqualTo(OTHER_NOTICES);

        ports().users().setNotices(user.id(), NoticeSettings.DEFAULT);
        assertThat(ports().users().byId(user.id()).orElseThrow().notices()).isEqualTo(NoticeSettings.DEFAULT);
    }

    @Test
    default void what_a_user_is_done_with_is_kept_while_it_is_in_the_inbox() {
        User user = new User(StoreSamples.user(), address(), "hash", StoreSamples.START);
        ports().users().add(user);
        assertThat(ports().users().doneItems(user.id())).isEmpty();

        ports().users().addDoneItem(user.id(), "one", Set.of("one", "two"));
        ports().users().addDoneItem(user.id(), "two", Set.of("one", "two"));
        ports().users().addDoneItem(user.id(), "two", Set.of("one", "two"));
        assertThat(ports().users().doneItems(user.id())).containsExactlyInAnyOrder("one", "two");

        ports().users().addDoneItem(user.id(), "three", Set.of("two", "three"));
        assertThat(ports().users().doneItems(user.id())).containsExactlyInAnyOrder("two", "three");
        assertThat(ports().users().doneItems(StoreSamples.user())).isEmpty();
    }

    private static String address() {
        return "anna." + UUID.randomUUID() + "@example.org";
    }
}
