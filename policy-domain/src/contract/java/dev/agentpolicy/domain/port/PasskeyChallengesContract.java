package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.passkey.AttestedChange;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges.PasskeyChallenge;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges.Purpose;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link PasskeyChallenges}. */
public interface PasskeyChallengesContract extends StoreContract {

    @Test
    default void a_challenge_is_taken_once() {
        PasskeyChallenge challenge = signIn(StoreSamples.START);
        ports().passkeyChallenges().add(challenge);

        assertThat(ports().passkeyChallenges().take(challenge.text())).contains(challenge);
        assertThat(ports().passkeyChallenges().take(challenge.text())).isEmpty();
        assertThat(ports().passkeyChallenges().take("AAAA")).isEmpty();
    }

    @Test
    default void a_challenge_that_many_take_at_once_is_taken_by_one() {
        PasskeyChallenge challenge = signIn(StoreSamples.START);
        ports().passkeyChallenges().add(challenge);

        List<Optional<PasskeyChallenge>> taken = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> ports().passkeyChallenges().take(challenge.text()))
                .toList();

        assertThat(taken).filteredOn(Optional::isPresent).hasSize(1);
    }

    @Test
    default void the_challenge_of_an_acceptance_keeps_what_is_accepted() {
        UserId user = StoreSamples.user();
        AttestedRequest attested = attested(user, 1, "main", 3);
        AttestedRequest bare = attested(user, 1, null, null);
        AttestedRequest several = attested(user, 2, "main", 3);
        for (AttestedRequest each : List.of(attested, bare, several)) {
            PasskeyChallenge challenge = new PasskeyChallenge(
                    each.challenge(), Purpose.ACCEPTANCE, user, each, null, null, StoreSamples.START);
            ports().passkeyChallenges().add(challenge);

            assertThat(ports().passkeyChallenges().take(challenge.text())).contains(challenge);
        }
    }

    @Test
    default void the_challenge_of_a_confirmation_keeps_the_call_that_is_confirmed() {
        PasskeyChallenge challenge = new PasskeyChallenge(
                StoreSamples.hash().substring(0, 43),
                Purpose.CONFIRMATION,
                StoreSamples.user(),
                null,
                null,
                StoreSamples.hash(),
                StoreSamples.START);
        ports().passkeyChallenges().add(challenge);

        assertThat(ports().passkeyChallenges().take(challenge.text())).contains(challenge);
    }

    @Test
    default void the_challenge_of_a_change_keeps_what_is_changed() {
        UserId user = StoreSamples.user();
        for (Integer previous : Arrays.asList(7, null)) {
            AttestedChange change = new AttestedChange(
                    user, previous, StoreSamples.hash(), StoreSamples.START, "AAAAAAAAAAAAAAAAAAAAAA");
            PasskeyChallenge challenge = new PasskeyChallenge(
                    change.challenge(), Purpose.CONFIRMATION, user, null, change, null, StoreSamples.START);
            ports().passkeyChallenges().add(challenge);

            assertThat(ports().passkeyChallenges().take(challenge.text())).contains(challenge);
        }
    }

    @Test
    default void challenges_that_are_over_are_removed() {
        Instant longAgo = StoreSamples.START.minusSeconds(1_000_000);
        PasskeyChallenge over = signIn(longAgo);
        PasskeyChallenge open = signIn(longAgo.plusSeconds(1));
        ports().passkeyChallenges().add(over);
        ports().passkeyChallenges().add(open);

        assertThat(ports().passkeyChallenges().removeExpired(longAgo)).isEqualTo(1);
        assertThat(ports().passkeyChallenges().take(over.text())).isEmpty();
        assertThat(ports().passkeyChallenges().take(open.text())).contains(open);
    }

    private static PasskeyChallenge signIn(Instant expiresAt) {
        return new PasskeyChallenge(
                StoreSamples.hash().substring(0, 43), Purpose.SIGN_IN, null, null, null, null, expiresAt);
    }

    private static AttestedRequest attested(UserId user, int requests, String custodian, Integer version) {
        Trade trade = new Trade(
                Action.BUY,
                Objects.requireNonNull(AssetSymbol.of("BTC")),
                AssetType.CRYPTO,
                Usd.of("12.5"),
                Percent.of("0.25"));
        return new AttestedRequest(
                user,
                Collections.nCopies(requests, new AttestedRequest.Signed(7, trade, custodian, StoreSamples.hash())),
                version,
                2,
                StoreSamples.START,
                "AAAAAAAAAAAAAAAAAAAAAA");
    }
}
