package dev.agentpolicy.domain.usecase.request;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyChange;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.AdmitCall.DailyCount;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.policy.IssueKeys.Issued;
import dev.agentpolicy.domain.usecase.request.AttestRequest.Selection;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that are changed without a new secret, and secrets that overlap. */
class ChangedKeyTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();

    /** Whatever a test did, the chain alone explains every verdict. */
    @AfterEach
    void every_verdict_follows_from_the_chain() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }

    @Test
    void caps_of_a_changed_key_act_on_its_next_decision() {
        Caller agent = fixture.agent("{\"aumCapUsd\":1000}");
        assertThat(rules(agent, "buy 1500 BTC crypto")).containsExactly(Rule.AGENT_AUM_CAP);

        AgentKey changed =
                change(agent, "{\"name\":\"Careful\",\"policy\":{\"aumCapUsd\":2000,\"allowedAssets\":[\"btc-usd\"]}}");

        assertThat(changed.name()).isEqualTo("Careful");
        assertThat(changed.credentialHash()).isEqualTo(agent.key().credentialHash());
        assertThat(rules(agent, "buy 1500 BTC crypto")).isEmpty();
        assertThat(rules(agent, "buy 1500 SPY tradfi")).containsExactly(Rule.ASSET_AUTHORITY_MONITOR);
        change(agent, "{\"policy\":{}}");
        assertThat(rules(agent, "buy 4000 SPY tradfi")).isEmpty();
    }

    @Test
    void a_change_is_recorded_as_a_rotation_without_a_new_secret_and_no_change_as_nothing() {
        Caller agent = fixture.agent("{\"aumCapUsd\":1000}");
        change(agent, "{\"paused\":true,\"allowedCidrs\":[\"10.0.0.0/8\"]}");

        Document payload = last(EventKind.KEY_ROTATED);
        assertThat(payload.get("secretChanged")).isEqualTo(false);
        assertThat(payload.get("paused")).isEqualTo(true);
        assertThat(payload.get("allowedCidrs")).isEqualTo(List.of("10.0.0.0/8"));
        int events = fixture.events().size();
        change(agent, "{\"paused\":true}");
        change(agent, "{}");
        assertThat(fixture.events()).hasSize(events);
    }

    @Test
    void a_paused_key_may_read_and_not_trade() {
        Caller agent = fixture.agent("{}");
        long id = fixture.queued(agent, "buy 100 BTC crypto");
        change(agent, "{\"paused\":true}");

        assertThat(fixture.validated(agent, "buy 100 BTC crypto").value().violations())
                .extracting(Violation::message)
                .containsExactly("This key is paused.");
        assertThat(refused(fixture.attest.accept(USER, id)).code()).isEqualTo(Refusal.Code.POLICY_BLOCKED);
        assertThat(fixture.headroom.all(agent, null).<Boolean>fold(all -> true, refusal -> false))
                .isTrue();
        change(agent, "{\"paused\":false}");
        assertThat(rules(agent, "buy 100 BTC crypto")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":null}",
                "{\"policy\":null}",
                "{\"paused\":null}",
                "{\"allowedCidrs\":null}",
                "{\"name\":\"\"}",
                "{\"scopes\":[\"read\"]}",
                "{\"allowedCidrs\":[\"10.0.0.1/8\"]}",
                "{\"paused\":1}",
                "{\"policy\":{\"x\":1}}"
            })
    void a_change_that_is_not_clear_is_refused(String sent) {
        assertThat(KeyChange.read(JsonSamples.object(sent)).problems()).hasSize(1);
    }

    @Test
    void a_revoked_or_unknown_key_cannot_be_changed() {
        Caller agent = fixture.agent("{}");
        given(fixture.keys.revoke(USER, agent.key().id()));
        KeyChange change =
                KeyChange.read(JsonSamples.object("{\"paused\":true}")).orElseThrow();

        assertThat(refused(fixture.keys.change(USER, agent.key().id(), change)).code())
                .isEqualTo(Refusal.Code.NOT_FOUND);
        assertThat(refused(fixture.keys.change(USER, new AgentKeyId(new UUID(1, 2)), change))
                        .code())
                .isEqualTo(Refusal.Code.NOT_FOUND);
    }

    @Test
    void a_call_cap_that_is_given_later_counts_the_decisions_of_the_day() {
        Caller agent = fixture.agent("{}");
        rules(agent, "buy 100 BTC crypto");
        rules(agent, "buy 100 BTC crypto");

        change(agent, "{\"policy\":{\"dailyCallCap\":3}}");

        assertThat(counted(agent)).isEqualTo(2);
        rules(agent, "buy 100 BTC crypto");
        assertThat(refused(fixture.validate.one(agent, SampleValues.sent("buy 1 BTC crypto")))
                        .code())
                .isEqualTo(Refusal.Code.DAILY_CALL_CAP);
        assertThat(counted(agent)).isEqualTo(3);
    }

    private long counted(Caller agent) {
        LocalDate today = LocalDate.ofInstant(fixture.clock.instant(), ZoneOffset.UTC);
        return fixture.store.dailyCalls().counted(USER, agent.key().id(), today);
    }

    @Test
    void a_key_works_only_from_its_networks() {
        Issued issued = fixture.mint("live", "\"read\",\"validate\"", "{}");
        change(issued.key().id(), "{\"allowedCidrs\":[\"10.0.0.0/8\",\"2001:db8::/32\"]}");

        assertThat(isAdmitted(issued, "10.9.8.7")).isTrue();
        assertThat(isAdmitted(issued, "[2001:db8::1]:999")).isTrue();
        assertThat(isAdmitted(issued, "11.9.8.7")).isFalse();
        assertThat(isAdmitted(issued, "unknown")).isFalse();
        change(issued.key().id(), "{\"allowedCidrs\":[]}");
        assertThat(isAdmitted(issued, "11.9.8.7")).isTrue();
    }

    @Test
    void a_call_admitted_by_an_outdated_key_is_checked_again_in_its_change() {
        Caller agent = fixture.agent("{}");
        change(agent, "{\"allowedCidrs\":[\"10.0.0.0/8\"]}");

        assertThat(refused(fixture.validate.one(agent, SampleValues.sent("buy 1 BTC crypto")))
                        .code())
                .isEqualTo(Refusal.Code.UNAUTHORIZED);
    }

    @Test
    void the_old_secret_works_beside_the_new_one_until_the_overlap_ends() {
        Issued first = fixture.mint("live", "\"read\",\"validate\"", "{}");
        Issued second = given(fixture.keys.rotate(USER, first.key().id(), Duration.ofMinutes(10)));

        assertThat(isAdmitted(first, "10.0.0.1")).isTrue();
        assertThat(isAdmitted(second, "10.0.0.1")).isTrue();
        assertThat(rules(new Caller(first.key(), USER, fixture.live, "10.0.0.1"), "buy 1 BTC crypto"))
                .isEmpty();
        fixture.clock.advance(Duration.ofMinutes(10));
        assertThat(isAdmitted(first, "10.0.0.1")).isFalse();
        assertThat(isAdmitted(second, "10.0.0.1")).isTrue();
        assertThat(last(EventKind.KEY_ROTATED).get("secretChanged")).isEqualTo(true);
    }

    @Test
    void a_second_rotation_ends_the_oldest_secret_at_once_and_revoking_ends_all() {
        Issued first = fixture.mint("live", "\"read\"", "{}");
        Issued second = given(fixture.keys.rotate(USER, first.key().id(), Duration.ofMinutes(10)));
        Issued third = given(fixture.keys.rotate(USER, first.key().id(), Duration.ofMinutes(10)));

        assertThat(isAdmitted(first, "10.0.0.1")).isFalse();
        assertThat(isAdmitted(second, "10.0.0.1")).isTrue();
        given(fixture.keys.revoke(USER, first.key().id()));
        assertThat(isAdmitted(second, "10.0.0.1")).isFalse();
        assertThat(isAdmitted(third, "10.0.0.1")).isFalse();
    }

    @Test
    void many_requests_are_rejected_at_once_and_those_under_way_are_left_alone() {
        Caller one = fixture.agent("{}");
        Caller other = fixture.agent("{}");
        long first = fixture.queued(one, "buy 100 BTC crypto");
        long second = fixture.queued(one, "buy 100 BTC crypto");
        long third = fixture.queued(other, "buy 100 BTC crypto");

        assertThat(fixture.attest.rejectMany(
                        USER, new Selection(Set.of(first, third), one.key().id(), "No")))
                .isEqualTo(1);
        assertThat(fixture.request(first).reason()).isEqualTo("No");
        assertThat(fixture.request(second).resolvedAt()).isEmpty();
        assertThat(fixture.attest.rejectMany(USER, new Selection(null, null, null)))
                .isEqualTo(2);
        assertThat(fixture.attest.rejectMany(USER, new Selection(null, null, null)))
                .isZero();
        assertThat(fixture.request(third).resolvedAt()).isPresent();
        assertThat(fixture.tally(one).pending()).isZero();
    }

    private boolean isAdmitted(Issued issued, String address) {
        return fixture.admit
                .admit(issued.credential().reveal(), address, null, DailyCount.NEVER)
                .toCompletableFuture()
                .join()
                .caller()
                .fold(caller -> true, refusal -> false);
    }

    private Document last(EventKind kind) {
        List<Document> payloads = fixture.payloads(kind);
        return payloads.get(payloads.size() - 1);
    }

    private List<Rule> rules(Caller caller, String trade) {
        return fixture.validated(caller, trade).value().violations().stream()
                .map(Violation::rule)
                .toList();
    }

    private AgentKey change(Caller caller, String members) {
        return change(caller.key().id(), members);
    }

    private AgentKey change(AgentKeyId id, String members) {
        return given(fixture.keys.change(
                USER, id, KeyChange.read(JsonSamples.object(members)).orElseThrow()));
    }
}
