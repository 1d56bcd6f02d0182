package dev.agentpolicy.app.mail;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMailUtil;
import dev.agentpolicy.app.CapturedLog;
import dev.agentpolicy.app.MailServer;
import dev.agentpolicy.app.mail.MailOutbox.MailOutcome;
import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.NoticeSettings.QuietHours;
import dev.agentpolicy.domain.agent.RequestNotices;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.request.Proposal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mails of many users over one mail server. */
class MailOutboxTest {
    private static final Instant NOW = Instant.parse("2026-11-23T15:04:05Z");
    private static final int FLOOD = 1_190;
    private static final long SOON_NANOS = 5_000_000_000L;

    private final Queue<MailOutcome> outcomes = new ConcurrentLinkedQueue<>();
    private final MailServer server = MailServer.start();
    private final SettableClock clock = new SettableClock(NOW);
    private final InMemoryStore store = new InMemoryStore(clock, new JdkSigner());
    private final Users users = store.users();
    private final MailOutbox outbox =
            new MailOutbox(server.mailSettings("http://127.0.0.1"), users, clock, outcomes::add);

    @AfterEach
    void stop() {
        outbox.close();
        server.close();
    }

    @Test
    void one_account_whose_address_never_parses_does_not_silence_the_mails_of_everybody() throws Exception {
        UserId flooder = confirmed(".a@b.cc");
        UserId other = confirmed("otto@example.org");

        try (CapturedLog log = new CapturedLog()) {
            for (int i = 0; i < FLOOD; i++) {
                outbox.send(flooder, new Notice.KeyMinted("key " + i, NOW));
            }
            outbox.send(other, new Notice.PasswordReset("otto@example.org", "token"));
            outbox.send(other, new Notice.PasswordChanged(NOW));

            server.await("Set a new password", "otto@example.org");
            server.await("Your password was changed", "otto@example.org");
            await(() -> count(MailOutcome.REFUSED, MailOutcome.CROWDED_OUT) == FLOOD);
            assertThat(log.messages())
                    .filteredOn(line -> line.contains("was dropped"))
                    .as("each is logged once")
                    .hasSize(FLOOD);
            assertThat(log.messages()).noneMatch(line -> line.contains("@") || line.contains("tried again"));
        }
    }

    @Test
    void a_mail_to_letters_beyond_ascii_goes_to_no_other_mailbox() {
        UserId user = confirmed("š.imon@bank.example");

        outbox.send(user, new Notice.PasswordReset("š.imon@bank.example", "token"));

        await(() -> !outcomes.isEmpty());
        assertThat(List.copyOf(outcomes)).containsExactly(MailOutcome.REFUSED);
        assertThat(server.subjects()).isEmpty();
    }

    @Test
    void an_address_that_is_not_confirmed_gets_links_and_nothing_else() throws Exception {
        UserId user = user("new@example.org");

        outbox.send(user, new Notice.KeyMinted("Call 555 1234", NOW));
        outbox.send(user, new Notice.NewSignIn("192.0.2.1", "Buy at evil.example", NOW));
        outbox.send(user, new Notice.EmailConfirmation("new@example.org", "first"));
        outbox.send(user, new Notice.PasswordReset("new@example.org", "second"));
        server.await("Confirm your address", "new@example.org");
        server.await("Set a new password", "new@example.org");

        users.setEmail(user, "new@example.org", true, NOW, null);
        outbox.send(user, new Notice.PasswordChanged(NOW));
        server.await("Your password was changed", "new@example.org");

        assertThat(server.subjects())
                .containsExactlyInAnyOrder("Confirm your address", "Set a new password", "Your password was changed");
        assertThat(count(MailOutcome.UNCONFIRMED)).isEqualTo(2);
    }

    @Test
    void what_others_wrote_is_reduced_to_names() throws Exception {
        UserId user = confirmed("anna@example.org");

        outbox.send(user, new Notice.KeyMinted("Win at https://evil.example/now", NOW));
        outbox.send(user, new Notice.PasskeyAdded("\r\n!!", NOW));
        outbox.send(user, new Notice.NewSignIn("192.0.2.1", "Call 555 1234 now", NOW));

        assertThat(GreenMailUtil.getBody(server.await("A key was made", "anna")))
                .contains("The key \"Win at https evil example now\" was made");
        assertThat(GreenMailUtil.getBody(server.await("A passkey was added", "anna")))
                .contains("The passkey was added");
        assertThat(GreenMailUtil.getBody(server.await("A sign-in from somewhere new", "anna")))
                .contains("from 192.0.2.1 with a browser")
                .doesNotContain("555");
    }

    @Test
    void a_mail_about_several_requests_says_how_many_and_until_when() throws Exception {
        UserId user = confirmed("anna@example.org");
        Proposal first = StoreSamples.proposal(
                7, user, new AgentKeyId(new UUID(2, 2)), NOW, Instant.parse("2026-11-24T15:00:00Z"));

        outbox.send(user, new Notice.RequestWaits(first, 12));

        assertThat(GreenMailUtil.getBody(server.await("12 requests wait for you", "anna")))
                .contains("Agents made 12 requests", "until 15:00 UTC on 24 November 2026", "/requests");
    }

    @Test
    void a_mail_about_requests_waits_for_the_end_of_quiet_hours_and_one_about_safety_does_not() throws Exception {
        UserId user = confirmed("anna@example.org");
        QuietHours second = new QuietHours(LocalTime.of(15, 0), LocalTime.of(15, 4, 6), ZoneOffset.UTC);
        users.setNotices(user, new NoticeSettings(RequestNotices.OFF, RequestNotices.PLAIN, second, 5));
        Proposal proposal = StoreSamples.proposal(7, user, new AgentKeyId(new UUID(2, 2)), NOW, NOW);

        outbox.send(user, new Notice.RequestWaits(proposal, 1));
        outbox.send(user, new Notice.PasswordChanged(NOW));
        server.await("Your password was changed", "anna");
        assertThat(server.subjects()).containsExactly("Your password was changed");

        clock.advance(Duration.ofSeconds(1));
        server.await("A request waits for you", "anna");
    }

    @Test
    void a_mail_that_fails_for_now_is_tried_again() throws Exception {
        UserId user = confirmed("anna@example.org");
        try (CapturedLog log = new CapturedLog()) {
            store.failing(new Unavailable("The store is away."));
            outbox.send(user, new Notice.PasswordChanged(NOW));
            await(() -> log.messages().stream().anyMatch(line -> line.contains("tried again")));
            store.failing(null);

            server.await("Your password was changed", "anna");
            await(() -> List.copyOf(outcomes).equals(List.of(MailOutcome.SENT)));
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + SOON_NANOS;
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private long count(MailOutcome... wanted) {
        return outcomes.stream().filter(List.of(wanted)::contains).count();
    }

    private UserId user(String email) {
        UserId id = new UserId(UUID.randomUUID());
        users.add(new User(id, email, "hash", NOW));
        return id;
    }

    private UserId confirmed(String email) {
        UserId id = user(email);
        users.setEmail(id, email, true, NOW, null);
        return id;
    }
}
