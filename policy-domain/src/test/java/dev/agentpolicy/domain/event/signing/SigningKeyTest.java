package dev.agentpolicy.domain.event.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKey.RevocationReason;
import dev.agentpolicy.domain.port.JdkSigner;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The status of a signing key only moves forward. */
class SigningKeyTest {
    private static final String X = new JdkSigner().key().x();
    private static final Instant FROM = Instant.parse("2026-11-21T12:00:00.123456Z");
    private static final Instant UNTIL = Instant.parse("2026-12-21T12:00:00.123456Z");
    private static final Instant LATER = Instant.parse("2027-01-01T00:00:00.5Z");

    @Test
    void a_key_is_pending_then_active_then_retired_and_may_be_revoked() {
        SigningKey pending = SigningKey.pending(X, Purpose.EVENT, FROM.plusNanos(7));
        SigningKey active = pending.activated();
        SigningKey retired = active.retired(UNTIL.plusNanos(7));
        SigningKey stolen = retired.compromised(LATER, FROM);

        assertThat(List.of(pending.status(), active.status(), retired.status(), stolen.status()))
                .containsExactly(KeyStatus.values());
        assertThat(pending.validFrom()).isEqualTo(FROM);
        assertThat(active.validUntil()).isNull();
        assertThat(retired.validUntil()).isEqualTo(UNTIL);
        assertThat(retired.isCompromised()).isFalse();
        assertThat(stolen.validUntil()).isEqualTo(UNTIL);
        assertThat(stolen.revokedAt()).isEqualTo(LATER);
        assertThat(stolen.revocationReason()).isEqualTo(RevocationReason.COMPROMISE);
        assertThat(stolen.compromisedSince()).isEqualTo(FROM);
        assertThat(stolen.isCompromised()).isTrue();
        assertThat(stolen.kid()).isEqualTo(SigningKey.thumbprint(X));
    }

    @Test
    void a_compromised_key_stops_signing_at_once() {
        SigningKey stolen = SigningKey.active(X, Purpose.EVENT, FROM).compromised(LATER, FROM);

        assertThat(stolen.validUntil()).isEqualTo(LATER);
    }

    @Test
    void a_status_is_never_reached_again() {
        SigningKey active = SigningKey.active(X, Purpose.EVENT, FROM);
        SigningKey retired = active.retired(UNTIL);
        SigningKey stolen = retired.compromised(LATER, FROM);

        assertThatIllegalStateException().isThrownBy(active::activated);
        assertThatIllegalStateException().isThrownBy(retired::activated);
        assertThatIllegalStateException().isThrownBy(() -> retired.retired(LATER));
        assertThatIllegalStateException().isThrownBy(() -> stolen.retired(LATER));
        assertThatIllegalStateException().isThrownBy(() -> stolen.compromised(LATER, FROM));
    }

    @Test
    void status_and_purpose_are_read_as_they_are_written() {
        for (Purpose purpose : Purpose.values()) {
            assertThat(Purpose.named(purpose.wireName())).contains(purpose);
        }
        for (EventQuery.Direction order : EventQuery.Direction.values()) {
            assertThat(EventQuery.Direction.named(order.wireName())).contains(order);
        }
        assertThat(Purpose.named("gone")).isEmpty();
        assertThat(EventQuery.Direction.named("gone")).isEmpty();
    }
}
