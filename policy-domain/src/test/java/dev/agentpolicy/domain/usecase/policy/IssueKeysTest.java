package dev.agentpolicy.domain.usecase.policy;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.ScriptedCustodian;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.policy.IssueKeys.Issued;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class IssueKeysTest {
    private final UseCaseFixture fixture = new UseCaseFixture();

    @Test
    void a_minted_key_is_stored_without_its_secret() {
        Issued issued = fixture.mint("live", "\"read\"", "{\"dailyCallCap\":5}");

        assertThat(issued.credential().reveal()).startsWith("svc_live_").hasSize(9 + 64);
        assertThat(issued.key().credentialHash()).isEqualTo(issued.credential().hash());
        assertThat(issued.key().last4()).isEqualTo(issued.credential().last4());
        assertThat(fixture.keys.list(USER)).containsExactly(issued.key());
        assertThat(issued.toString()).doesNotContain(issued.credential().reveal());
    }

    @Test
    void the_event_describes_the_key_without_its_secret() {
        Issued issued = fixture.mint("test", "\"read\",\"propose\"", "{}");
        Issued rotated = given(fixture.keys.rotate(USER, issued.key().id()));
        given(fixture.keys.revoke(USER, issued.key().id()));

        assertThat(fixture.eventKinds()).containsExactly("key.minted", "key.rotated", "key.revoked");
        assertThat(fixture.events())
                .allSatisfy(event -> assertThat(event.payload())
                        .contains(issued.key().id().toString())
                        .doesNotContain(issued.credential().reveal())
                        .doesNotContain(issued.credential().hash())
                        .doesNotContain(rotated.credential().reveal())
                        .doesNotContain(rotated.credential().hash()));
    }

    @Test
    void rotation_keeps_the_id_the_name_and_the_policy() {
        Issued issued = fixture.mint("test", "\"read\"", "{\"dailyCallCap\":5}");
        fixture.clock.advance(Duration.ofHours(1));
        Issued rotated = given(fixture.keys.rotate(USER, issued.key().id()));

        assertThat(rotated.key()).isEqualTo(issued.key().rotated(rotated.credential(), fixture.clock.instant()));
        assertThat(rotated.key().policy()).isEqualTo(issued.key().policy());
        assertThat(rotated.credential().reveal())
                .startsWith("svc_test_")
                .isNotEqualTo(issued.credential().reveal());
    }

    @Test
    void a_revoked_unknown_or_foreign_key_cannot_be_changed() {
        AgentKeyId id = fixture.mint("live", "\"read\"", "{}").key().id();
        AgentKeyId unknown = new AgentKeyId(UUID.randomUUID());
        UserId stranger = new UserId(UUID.randomUUID());

        assertThat(refused(fixture.keys.rotate(stranger, id)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refused(fixture.keys.revoke(USER, unknown)).code()).isEqualTo(Code.NOT_FOUND);
        given(fixture.keys.revoke(USER, id));
        assertThat(refused(fixture.keys.revoke(USER, id)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refused(fixture.keys.rotate(USER, id)).code()).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void revoking_a_key_rejects_its_waiting_requests() {
        UseCaseFixture home = UseCaseFixture.furnished();
        Caller agent = home.agent("{\"aumCapUsd\":5000}");
        Caller other = home.agent("{}");
        long buy = home.queued(agent, "buy 100 BTC crypto");
        long sell = home.queued(agent, "sell 50 BTC crypto");
        long others = home.queued(other, "buy 1 BTC crypto");
        int rows = home.events().size();

        given(home.keys.revoke(USER, agent.key().id()));

        assertThat(home.request(buy).status()).isEqualTo(RequestStatus.REJECTED);
        assertThat(home.request(buy).reason()).isEqualTo("key_revoked");
        assertThat(home.request(sell).reason()).isEqualTo("key_revoked");
        assertThat(home.request(others).status()).isEqualTo(RequestStatus.PENDING);
        assertThat(home.tally(agent).pending()).isZero();
        assertThat(home.tally(agent).aum()).isEqualTo(Usd.ZERO);
        assertThat(home.eventKinds().subList(rows, rows + 3))
                .containsExactly("guardrail.decision", "guardrail.decision", "key.revoked");
        assertThat(recomputed(home)).isEmpty();
    }

    @Test
    void revoking_a_key_takes_accepted_orders_back_that_were_not_sent() {
        UseCaseFixture home = UseCaseFixture.furnished();
        Caller agent = home.agent("{}");
        long accepted = home.queued(agent, "buy 100 BTC crypto");
        home.custodian.is(ScriptedCustodian.Mood.AWAY);
        given(home.attest.accept(USER, accepted));
        long waiting = home.queued(agent, "buy 100 BTC crypto");

        given(home.keys.revoke(USER, agent.key().id()));

        assertThat(home.pending(accepted).isAccepted()).isTrue();
        assertThat(home.request(waiting).reason()).isEqualTo("key_revoked");
        assertThat(home.tally(agent).pending()).isEqualTo(1);
        home.custodian.is(ScriptedCustodian.Mood.OBLIGING);
        home.clock.advance(Duration.ofMinutes(2));
        home.orders.sweep(Duration.ofSeconds(-1));
        assertThat(home.request(accepted).reason()).isEqualTo("key_revoked");
        assertThat(home.custodian.executed()).isEmpty();
        assertThat(home.tally(agent).pending()).isZero();
        assertThat(home.tally(agent).aum()).isEqualTo(Usd.ZERO);
        assertThat(recomputed(home)).isEmpty();
    }

    @Test
    void a_request_that_expired_before_its_key_was_revoked_is_rejected_as_expired() {
        UseCaseFixture home = UseCaseFixture.furnished();
        Caller agent = home.agent("{}");
        long old = home.queued(agent, "buy 100 BTC crypto");
        home.clock.advance(UseCaseFixture.WINDOW);

        given(home.keys.revoke(USER, agent.key().id()));

        assertThat(home.request(old).reason()).isEqualTo("expired");
        assertThat(home.tally(agent).pending()).isZero();
    }

    private static List<Recomputation.Difference> recomputed(UseCaseFixture home) {
        Recomputation recomputation = Recomputation.begin();
        return home.events().stream()
                .flatMap(row -> recomputation.row(row).stream())
                .toList();
    }

    @Test
    void an_expired_key_cannot_be_rotated() {
        String sent = "{\"name\":\"a\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"expiresInDays\":1}";
        AgentKey key = given(fixture.keys.mint(
                        USER, KeyRequest.read(JsonSamples.object(sent)).orElseThrow()))
                .key();
        fixture.clock.advance(Duration.ofDays(1));

        assertThat(refused(fixture.keys.rotate(USER, key.id())).code()).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void a_user_has_at_most_a_hundred_working_keys() {
        AgentKeyId first = fixture.mint("live", "\"read\"", "{}").key().id();
        for (int i = 1; i < IssueKeys.MAX_ACTIVE; i++) {
            fixture.mint("test", "\"read\"", "{}");
        }
        KeyRequest more = KeyRequest.read(
                        JsonSamples.object("{\"name\":\"a\",\"keyType\":\"live\",\"scopes\":[\"read\"]}"))
                .orElseThrow();

        assertThat(refused(fixture.keys.mint(USER, more)).code()).isEqualTo(Code.TOO_MANY);
        given(fixture.keys.revoke(USER, first));
        assertThat(given(fixture.keys.mint(USER, more)).key().name()).isEqualTo("a");
    }

    @Test
    void keys_are_listed_newest_first_revoked_ones_too() {
        AgentKeyId old = fixture.mint("live", "\"read\"", "{}").key().id();
        fixture.clock.advance(Duration.ofSeconds(1));
        AgentKeyId young = fixture.mint("live", "\"read\"", "{}").key().id();
        given(fixture.keys.revoke(USER, old));

        assertThat(fixture.keys.list(USER)).extracting(AgentKey::id).containsExactly(young, old);
    }

    @Test
    void keys_minted_at_the_same_time_are_listed_by_their_ids() {
        AgentKeyId first = fixture.mint("live", "\"read\"", "{}").key().id();
        AgentKeyId second = fixture.mint("live", "\"read\"", "{}").key().id();
        AgentKeyId third = fixture.mint("live", "\"read\"", "{}").key().id();

        assertThat(fixture.keys.list(USER)).extracting(AgentKey::id).containsExactly(third, second, first);
    }
}
