package dev.agentpolicy.domain.usecase.request;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges.PasskeyChallenge;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges.Purpose;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.request.SignRequest.SigningOffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The challenge with which a passkey accepts a request. */
class SignRequestTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");
    private final Passkey phone = new SoftPasskey().registered("Phone", SampleValues.NOON);
    private final Passkey laptop = new SoftPasskey().registered("Laptop", SampleValues.NOON);

    @Test
    void an_offer_names_what_would_be_accepted_and_the_passkeys_that_may_sign() {
        register(phone, laptop);
        long id = fixture.queued(agent, "buy 3000 BTC crypto");

        SigningOffer offer = offered(id);

        AttestedRequest attested = offer.attested();
        assertThat(offer.passkeys()).containsExactly(phone, laptop);
        assertThat(attested.userId()).isEqualTo(USER);
        AttestedRequest.Signed signed = attested.requests().get(0);
        assertThat(attested.ids()).containsExactly(id);
        assertThat(signed.trade()).isEqualTo(fixture.pending(id).proposal().trade());
        assertThat(signed.custodian()).isEqualTo("broker");
        assertThat(attested.ipsVersion()).isEqualTo(1);
        assertThat(attested.portfolioRevision()).isEqualTo(fixture.portfolio().holdingsRevision());
        assertThat(signed.decisionHash())
                .isEqualTo(fixture.events().get(fixture.events().size() - 1).hash());
        assertThat(attested.expiresAt()).isEqualTo(SampleValues.NOON.plus(AttestedRequest.MAX_AGE));
    }

    @Test
    void the_challenge_is_the_hash_of_the_offer_and_kept_for_its_user() {
        register(phone);
        long id = fixture.queued(agent, "buy 3000 BTC crypto");

        SigningOffer offer = offered(id);

        assertThat(offer.challenge()).isEqualTo(offer.attested().challenge());
        assertThat(fixture.store.passkeyChallenges().take(offer.challenge()))
                .contains(new PasskeyChallenge(
                        offer.challenge(),
                        Purpose.ACCEPTANCE,
                        USER,
                        offer.attested(),
                        null,
                        null,
                        offer.attested().expiresAt()));
    }

    @Test
    void no_two_offers_have_one_challenge() {
        register(phone);
        long id = fixture.queued(agent, "buy 3000 BTC crypto");

        assertThat(offered(id).challenge()).isNotEqualTo(offered(id).challenge());
    }

    @Test
    void an_offer_follows_the_policy_and_the_holdings() {
        register(phone);
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        AttestedRequest before = offered(id).attested();
        UseCaseFixture.given(fixture.amendIps.put(USER, SampleValues.ips("{\"cashFloor\":0.01}")));
        fixture.holdElsewhere("other", 10);

        AttestedRequest after = offered(id).attested();

        assertThat(after.ipsVersion()).isEqualTo(2);
        assertThat(after.portfolioRevision()).isGreaterThan(before.portfolioRevision());
    }

    @Test
    void without_a_passkey_there_is_no_offer() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");

        assertThat(refusal(USER, id).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refusal(USER, id).message()).startsWith("You have no passkey");
    }

    @Test
    void a_request_of_somebody_else_and_one_that_does_not_exist_are_not_found() {
        register(phone);
        long id = fixture.queued(agent, "buy 3000 BTC crypto");

        assertThat(refusal(new UserId(UUID.randomUUID()), id).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refusal(USER, id + 1).code()).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void a_request_that_was_answered_is_not_offered_again() {
        register(phone);
        long rejected = fixture.queued(agent, "buy 3000 BTC crypto");
        UseCaseFixture.given(fixture.attest.reject(USER, rejected, null));
        long completed = fixture.queued(agent, "buy 1000 BTC crypto");
        UseCaseFixture.given(fixture.attest.accept(USER, completed));

        assertThat(refusal(USER, rejected).code()).isEqualTo(Code.ALREADY_RESOLVED);
        assertThat(refusal(USER, completed).code()).isEqualTo(Code.ALREADY_RESOLVED);
        assertThat(refusal(USER, completed).request()).isEqualTo(fixture.request(completed));
    }

    private void register(Passkey... passkeys) {
        OwnerPasskeys all = OwnerPasskeys.NONE;
        for (Passkey passkey : passkeys) {
            all = all.with(passkey);
        }
        OwnerPasskeys registered = all;
        fixture.store.change(
                USER, account -> new Recording().passkeys(registered).answer(receipts -> registered));
    }

    private SigningOffer offered(long id) {
        return UseCaseFixture.given(answer(USER, id));
    }

    private Refusal refusal(UserId user, long id) {
        return UseCaseFixture.refused(answer(user, id));
    }

    private CompletableFuture<Answer<SigningOffer>> answer(UserId user, long id) {
        return CompletableFuture.completedFuture(fixture.sign.offer(user, List.of(id)));
    }
}
