package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The contract of {@link MailTokens}. */
public interface MailTokensContract extends StoreContract {

    @Test
    default void a_token_is_found_for_its_purpose_until_it_expires() {
        Instant end = StoreSamples.START.plusSeconds(60);
        MailToken token = new MailToken(StoreSamples.user(), Purpose.PASSWORD_RESET, null, end);
        String hash = StoreSamples.hash();
        ports().mailTokens().store(hash, token);

        assertThat(ports().mailTokens().find(hash, Purpose.EMAIL_CONFIRMATION, StoreSamples.START))
                .isEmpty();
        assertThat(ports().mailTokens().find(hash, Purpose.PASSWORD_RESET, end)).isEmpty();
        assertThat(ports().mailTokens().find(hash, Purpose.PASSWORD_RESET, StoreSamples.START))
                .contains(token);
    }

    @Test
    default void a_later_token_of_a_purpose_replaces_the_earlier_one() {
        UserId user = StoreSamples.user();
        Instant end = StoreSamples.START.plusSeconds(60);
        String first = StoreSamples.hash();
        String second = StoreSamples.hash();
        MailToken one = new MailToken(user, Purpose.EMAIL_CONFIRMATION, "one@example.org", end);
        MailToken two = new MailToken(user, Purpose.EMAIL_CONFIRMATION, "two@example.org", end);
        ports().mailTokens().store(first, one);
        ports().mailTokens().store(second, two);

        assertThat(ports().mailTokens().find(first, Purpose.EMAIL_CONFIRMATION, StoreSamples.START))
                .isEmpty();
        assertThat(ports().mailTokens().of(user, Purpose.EMAIL_CONFIRMATION, StoreSamples.START))
                .contains(two);
        assertThat(ports().mailTokens().of(user, Purpose.EMAIL_CONFIRMATION, end))
                .isEmpty();
        ports().mailTokens().remove(user, Purpose.EMAIL_CONFIRMATION);
        assertThat(ports().mailTokens().of(user, Purpose.EMAIL_CONFIRMATION, StoreSamples.START))
                .isEmpty();
    }

    @Test
    default void expired_tokens_are_removed() {
        Instant longAgo = Instant.parse("2001-01-01T00:00:00Z");
        UserId user = StoreSamples.user();
        ports().mailTokens()
                .store(StoreSamples.hash(), new MailToken(user, Purpose.PASSWORD_RESET, null, longAgo.plusSeconds(1)));

        assertThat(ports().mailTokens().removeExpired(longAgo)).isZero();
        assertThat(ports().mailTokens().removeExpired(longAgo.plusSeconds(1))).isEqualTo(1);
    }
}
