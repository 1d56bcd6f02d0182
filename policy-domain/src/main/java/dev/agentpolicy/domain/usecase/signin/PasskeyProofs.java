package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.passkey.AttestedChange;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyRegistration;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges.PasskeyChallenge;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges.Purpose;
import dev.agentpolicy.domain.port.signin.PasskeyVerifier;
import dev.agentpolicy.domain.port.signin.PasskeyVerifier.NewCredential;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Gives out challenges and checks what passkeys sign (docs/reference/passkeys.md). A challenge is taken before anything
 * else is looked at, so that no signature is used twice.
 */
public record PasskeyProofs(
        PasskeyVerifier verifier, PasskeyChallenges challenges, RandomSource random, InstantSource clock) {
    private static final int CHALLENGE_BYTES = 32;

    /** An assertion whose challenge was taken. */
    public record TakenAssertion(PasskeyChallenge challenge, SentAssertion sent, RelyingParty party) {}

    /** Stores a random challenge and returns it. */
    String challenge(Purpose purpose, @Nullable UserId user) {
        return challenge(purpose, user, null);
    }

    /** Stores a random challenge that confirms one call of a user, and returns it. */
    String confirmation(UserId user, String call) {
        return challenge(Purpose.CONFIRMATION, user, call);
    }

    private String challenge(Purpose purpose, @Nullable UserId user, @Nullable String call) {
        String text = Base64Url.encode(random.bytes(CHALLENGE_BYTES));
        challenges.add(new PasskeyChallenge(text, purpose, user, null, null, call, expiry()));
        return text;
    }

    /** Stores the challenge of an acceptance and returns it. */
    public String challenge(AttestedRequest attested) {
        String text = attested.challenge();
        challenges.add(new PasskeyChallenge(
                text, Purpose.ACCEPTANCE, attested.userId(), attested, null, null, attested.expiresAt()));
        return text;
    }

    /** Stores the challenge of a change of the policy and returns it. */
    String challenge(AttestedChange change) {
        String text = change.challenge();
        challenges.add(new PasskeyChallenge(
                text, Purpose.CONFIRMATION, change.userId(), null, change, null, change.expiresAt()));
        return text;
    }

    /** When a challenge that is given out now ends. */
    public Instant expiry() {
        return Instants.truncated(clock.instant()).plus(AttestedRequest.MAX_AGE);
    }

    public String nonce() {
        return Base64Url.encode(random.bytes(AttestedRequest.NONCE_BYTES));
    }

    /** Takes the challenge of a registration and checks the registration. */
    Answer<NewCredential> registered(UserId user, PasskeyRegistration registration, RelyingParty party) {
        return taken(registration.challenge(), Purpose.REGISTRATION, user)
                .flatMap(challenge -> verifier.registered(party, challenge.text(), registration))
                .filter(credential -> credential.credentialId().equals(registration.credentialId()))
                .filter(credential -> credential.key().isUsable())
                .map(Answer::given)
                .orElseGet(() -> Answer.refused(invalid("The passkey could not be registered; try again.")));
    }

    /** Takes the challenge of an assertion; the assertion is checked later, by {@link #used}. */
    public Answer<TakenAssertion> taken(UserId user, Purpose purpose, SentAssertion sent, RelyingParty party) {
        return taken(sent.assertion().challenge(), purpose, user)
                .map(challenge -> Answer.given(new TakenAssertion(challenge, sent, party)))
                .orElseGet(() -> Answer.refused(invalid("The passkey signed another challenge, or one that is over.")));
    }

    private Optional<PasskeyChallenge> taken(Optional<String> text, Purpose purpose, UserId user) {
        return text.flatMap(challenges::take)
                .filter(challenge -> challenge.purpose() == purpose)
                .filter(challenge -> challenge.user() == null || user.equals(challenge.user()))
                .filter(challenge -> clock.instant().isBefore(challenge.expiresAt()));
    }

    /** Checks an assertion; the answer is the passkeys of the user after this use. */
    public Answer<OwnerPasskeys> used(UserId user, OwnerPasskeys passkeys, TakenAssertion taken, Instant now) {
        SentAssertion sent = taken.sent;
        Passkey passkey = passkeys.find(sent.assertion().credentialId()).orElse(null);
        if (passkey == null || sent.userHandle() != null && !sent.user().equals(Optional.of(user))) {
            return Answer.refused(invalid("This is not one of your passkeys."));
        }
        if (!now.isBefore(taken.challenge.expiresAt())) {
            return Answer.refused(invalid("The challenge of the passkey is over."));
        }
        String challenge = taken.challenge.text();
        String wrong = sent.assertion().wrong(passkey.key(), passkey.rpId(), challenge);
        OptionalLong counter = wrong == null
                ? verifier.asserted(taken.party, challenge, passkey, sent.assertion())
                : OptionalLong.empty();
        return counter.isPresent()
                ? Answer.given(passkeys.with(passkey.used(counter.getAsLong(), now)))
                : Answer.refused(invalid("The signature of the passkey was refused: "
                        + (wrong == null ? "it does not follow the standard" : wrong) + "."));
    }

    public static Refusal invalid(String message) {
        return Refusal.of(Refusal.Code.INVALID_PASSKEY, message);
    }

    /** Removes challenges that are over, and returns how many. */
    public int forgetExpired() {
        return challenges.removeExpired(clock.instant());
    }
}
