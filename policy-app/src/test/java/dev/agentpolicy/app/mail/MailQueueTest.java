package dev.agentpolicy.app.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.mail.MailQueue.WaitingMail;
import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.StoreSamples;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which mail is sent next, and which has no place. */
class MailQueueTest {
    private static final Instant NOW = Instant.parse("2026-11-23T15:04:05Z");
    private static final Notice CHANGED = new Notice.PasswordChanged(NOW);
    private static final UserId ANNA = new UserId(new UUID(0, 1));
    private static final UserId OTTO = new UserId(new UUID(0, 2));

    private final MailQueue queue = new MailQueue();

    @Test
    void users_take_turns() {
        for (int i = 0; i < 3; i++) {
            queue.add(mail(ANNA, key("a" + i)));
        }
        queue.add(mail(OTTO, key("o")));

        assertThat(polled()).containsExactly("a0", "o", "a1", "a2");
    }

    @Test
    void mails_about_safety_go_first() {
        queue.add(mail(ANNA, request(1)));
        queue.add(mail(OTTO, key("key")));

        assertThat(polled()).containsExactly("key", "request 1");
    }

    @Test
    void a_mail_that_is_not_due_holds_up_no_other() {
        queue.add(new WaitingMail(ANNA, key("later"), 2, 100));
        queue.add(mail(ANNA, key("now")));

        assertThat(queue.poll(0).map(MailQueueTest::name)).contains("now");
        assertThat(queue.poll(0)).isEmpty();
        assertThat(queue.nanosUntilDue(0)).contains(100L);
        assertThat(queue.poll(100).map(MailQueueTest::name)).contains("later");
        assertThat(queue.nanosUntilDue(0)).isEmpty();
    }

    @Test
    void one_kind_of_mail_takes_no_place_of_another() {
        for (int i = 0; i < MailQueue.MAX_OF_KIND; i++) {
            assertThat(queue.add(mail(ANNA, key("key" + i)))).isEmpty();
        }

        WaitingMail more = mail(ANNA, key("more"));
        assertThat(queue.add(more)).contains(more);
        assertThat(queue.add(mail(ANNA, CHANGED))).isEmpty();
    }

    @Test
    void many_requests_in_a_short_time_are_one_mail_that_says_how_many() {
        queue.add(mail(ANNA, request(1)));
        assertThat(polled()).containsExactly("request 1");

        for (int i = 0; i < 500; i++) {
            assertThat(queue.add(mail(ANNA, request(2 + i)))).isEmpty();
        }

        long pause = TimeUnit.SECONDS.toNanos(MailQueue.REQUESTS_PAUSE_SECONDS);
        assertThat(queue.poll(pause - 1)).isEmpty();
        assertThat(queue.poll(pause).map(mail -> ((Notice.RequestWaits) mail.notice()).count()))
                .contains(500);
        assertThat(queue.poll(Long.MAX_VALUE / 2)).isEmpty();
    }

    @Test
    void after_a_mail_about_requests_that_was_not_sent_the_next_one_need_not_wait() {
        queue.add(mail(ANNA, request(1)));
        assertThat(polled()).containsExactly("request 1");
        queue.add(mail(ANNA, request(2)));
        assertThat(polled()).isEmpty();

        queue.requestsNotTold(ANNA);

        assertThat(polled()).containsExactly("request 2");
    }

    @Test
    void a_mail_about_requests_that_failed_is_sent_again_with_those_that_came_since() {
        queue.add(mail(ANNA, request(1)));
        WaitingMail failed = queue.poll(0).orElseThrow();
        queue.add(mail(ANNA, request(2)));

        queue.add(new WaitingMail(ANNA, failed.notice(), 2, 10));

        WaitingMail again = queue.poll(10).orElseThrow();
        assertThat(((Notice.RequestWaits) again.notice()).count()).isEqualTo(2);
        assertThat(again.attempt()).isEqualTo(2);
    }

    @Test
    void of_several_requests_the_one_that_expires_first_is_told() {
        Notice.RequestWaits late = request(1, NOW.plusSeconds(60));
        Notice.RequestWaits early = request(2, NOW.plusSeconds(30));

        assertThat(late.and(early)).isEqualTo(new Notice.RequestWaits(early.proposal(), 2));
        assertThat(early.and(late)).isEqualTo(new Notice.RequestWaits(early.proposal(), 2));
    }

    @Test
    void a_full_queue_has_room_for_mails_about_safety_only() {
        for (UserId user : users(MailQueue.MAX_WAITING)) {
            queue.add(mail(user, request(1)));
        }
        WaitingMail more = mail(ANNA, request(7));

        assertThat(queue.add(more)).contains(more);
        assertThat(queue.add(mail(ANNA, CHANGED)).map(MailQueueTest::name)).contains("request 1");
    }

    @Test
    void a_full_queue_takes_the_place_of_whoever_has_most() {
        for (UserId user : users(MailQueue.MAX_WAITING / 2)) {
            queue.add(mail(user, CHANGED));
            queue.add(mail(user, key("latest")));
        }

        assertThat(queue.add(mail(ANNA, CHANGED)).map(MailQueueTest::name)).contains("latest");
        WaitingMail second = mail(ANNA, key("second"));
        assertThat(queue.add(second)).as("nobody has more than Anna would have").contains(second);
    }

    @Test
    void a_queue_full_of_mails_about_safety_drops_the_next_of_whoever_has_as_many() {
        for (UserId user : users(MailQueue.MAX_WAITING)) {
            queue.add(mail(user, CHANGED));
        }
        WaitingMail mine = mail(ANNA, CHANGED);
        assertThat(queue.add(mine)).contains(mine);
    }

    private static List<UserId> users(int number) {
        List<UserId> users = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            users.add(new UserId(new UUID(1, i)));
        }
        return users;
    }

    private List<String> polled() {
        List<String> names = new ArrayList<>();
        for (Optional<WaitingMail> next = queue.poll(0); next.isPresent(); next = queue.poll(0)) {
            names.add(name(next.get()));
        }
        return names;
    }

    private static WaitingMail mail(UserId user, Notice notice) {
        return new WaitingMail(user, notice, 1, 0);
    }

    private static Notice key(String name) {
        return new Notice.KeyMinted(name, NOW);
    }

    private static Notice request(long id) {
        return request(id, NOW.plusSeconds(60));
    }

    private static Notice.RequestWaits request(long id, Instant expiresAt) {
        return new Notice.RequestWaits(
                StoreSamples.proposal(id, ANNA, new AgentKeyId(new UUID(2, 2)), NOW, expiresAt), 1);
    }

    private static String name(WaitingMail mail) {
        return mail.notice() instanceof Notice.KeyMinted key
                ? key.name()
                : mail.notice() instanceof Notice.RequestWaits waits
                        ? "request " + waits.proposal().id()
                        : mail.notice().toString();
    }
}
