package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each crossing of a band or the floor makes one event, whatever caused it. */
class DriftSequenceTest {
    private static final String NARROW = "{\"crypto\":{\"min\":0.1,\"target\":0.2,\"max\":0.25}}";
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");

    @Test
    void a_new_ips_can_detect_and_clear_a_drift() {
        given(fixture.amendIps.put(USER, SampleValues.ips(NARROW)));
        given(fixture.amendIps.put(USER, SampleValues.ips(NARROW.replace("0.25", "0.26"))));
        given(fixture.amendIps.put(USER, SampleValues.plainIps()));
        given(fixture.amendIps.put(USER, SampleValues.ips("{\"cashFloor\":0.04}")));

        assertThat(drifts())
                .containsExactly(
                        "policy.drift_detected crypto_max_allocation 0.25 0.3 v2",
                        "policy.drift_cleared crypto_max_allocation 0.35 0.3 v4");
    }

    @Test
    void an_identical_ips_makes_no_event() {
        given(fixture.amendIps.put(USER, SampleValues.ips(NARROW)));
        given(fixture.amendIps.put(USER, SampleValues.ips(NARROW)));

        assertThat(drifts()).hasSize(1);
    }

    @Test
    void new_holdings_can_detect_and_clear_a_drift() {
        fixture.hold(36_000, 55_000, 9_000);
        fixture.hold(37_000, 54_000, 9_000);
        fixture.hold(30_000, 60_000, 10_000);

        assertThat(drifts())
                .containsExactly(
                        "policy.drift_detected crypto_max_allocation 0.35 0.36 v1",
                        "policy.drift_detected tradfi_min_allocation 0.55 0.54 v1",
                        "policy.drift_cleared crypto_max_allocation 0.35 0.3 v1",
                        "policy.drift_cleared tradfi_min_allocation 0.55 0.6 v1");
    }

    @Test
    void an_acceptance_can_clear_a_drift_because_its_order_counts_as_filled() {
        fixture.hold(36_000, 55_000, 9_000);
        given(fixture.attest.accept(USER, fixture.queued(agent, "sell 1800 BTC crypto")));

        assertThat(kinds().subList(kinds().size() - 3, kinds().size()))
                .containsExactly("guardrail.decision", "policy.drift_cleared", "broker.trade_observed");
        assertThat(drifts()).last().isEqualTo("policy.drift_cleared crypto_max_allocation 0.35 0.342 v1");
    }

    @Test
    void a_fill_within_the_bands_makes_no_drift_event() {
        given(fixture.attest.accept(USER, fixture.queued(agent, "buy 5000 BTC crypto")));

        assertThat(drifts()).isEmpty();
    }

    @Test
    void the_users_own_trade_is_recorded_and_can_cause_a_drift() {
        given(fixture.observe.trade(USER, "broker", ownTrade("buy", "BTC", "0.2")));

        assertThat(fixture.payloads(EventKind.TRADE_OBSERVED)).hasSize(1);
        Document observed = fixture.payloads(EventKind.TRADE_OBSERVED).get(0);
        assertThat(observed.get("source")).isEqualTo("user_initiated");
        assertThat(observed.get("serviceRequestId")).isNull();
        assertThat(observed.get("quantity")).isEqualTo("0.2");
        assertThat(observed.get("amountUsd")).isEqualTo("6000");
        assertThat(drifts()).containsExactly("policy.drift_detected crypto_max_allocation 0.35 0.36 v1");
        assertThat(fixture.portfolio().custodian("broker")).contains(fixture.custodian.held(USER, "broker"));
    }

    @Test
    void a_refused_own_trade_changes_nothing() {
        assertThat(UseCaseFixture.refused(fixture.observe.trade(USER, "broker", ownTrade("sell", "BTC", "1.1"))))
                .isEqualTo(Refusal.of(Refusal.Code.NOT_EXECUTED, "Broker holds 1 of BTC; the sell is of 1.1."));
        assertThat(fixture.portfolio().revision()).isEqualTo(1);
        assertThat(fixture.payloads(EventKind.TRADE_OBSERVED)).isEmpty();
    }

    @Test
    void a_trade_at_an_unknown_custodian_is_refused() {
        assertThat(UseCaseFixture.refused(fixture.observe.trade(USER, "elsewhere", ownTrade("buy", "BTC", "1"))))
                .isEqualTo(Refusal.of(Refusal.Code.NOT_FOUND, "There is no custodian elsewhere."));
        assertThat(fixture.custodian.asked()).isEmpty();
    }

    private static OwnTrade ownTrade(String action, String symbol, String quantity) {
        return OwnTrade.read(JsonSamples.object("""
                        {"action":"%s","symbol":"%s","assetType":"crypto","quantity":"%s","price":30000}""".formatted(action, symbol, quantity)))
                .orElseThrow();
    }

    private List<String> kinds() {
        return fixture.eventKinds();
    }

    private List<String> drifts() {
        return fixture.events().stream()
                .filter(event -> event.kind().wireName().startsWith("policy.drift"))
                .map(event -> {
                    Document it = UseCaseFixture.payload(event);
                    return event.kind().wireName() + " " + it.get("rule") + " " + it.get("limit") + " "
                            + it.get("actual") + " v" + it.get("ipsVersion");
                })
                .toList();
    }
}
