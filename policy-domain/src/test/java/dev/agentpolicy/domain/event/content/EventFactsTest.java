package dev.agentpolicy.domain.event.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.rule.Rule;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Events in words. */
class EventFactsTest {
    private static final String KEY = "0f8fad5b-d9cb-469f-a165-70867728950e";
    private static final String TRADE =
            "\"trade\":{\"action\":\"buy\",\"amountUsd\":\"1200\",\"assetSymbol\":\"BTC\",\"assetType\":\"crypto\"}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            validate       | []                                                              | Robot checked whether it may buy BTC for $1,200: allowed.
            validate-batch | []                                                              | Robot checked whether it may buy BTC for $1,200: allowed.
            propose        | [{"rule":"cash_floor"}]                                         | Robot asked to buy BTC for $1,200: blocked, cash floor.
            propose        | [{"rule":"cash_floor"},{"rule":"slippage_exceeded"}]            | Robot asked to buy BTC for $1,200: blocked, cash floor and slippage limit.
            propose        | [{"rule":"no_active_ips"},{"rule":"no_portfolio_snapshot"},{"rule":"agent_aum_cap"},{"rule":"agent_aum_cap"}] | Robot asked to buy BTC for $1,200: blocked, no policy, no portfolio and cap of the agent.
            propose        | [{"rule":"standing_rule_blocked","message":"Standing rule no memes blocks this trade: Not here."}] | Robot asked to buy BTC for $1,200: blocked, standing rule no memes.
            propose        | [{"rule":"standing_rule_requires_approval","message":"Standing rule big requires the user's approval."}] | Robot asked to buy BTC for $1,200: blocked, standing rule big needs your approval.
            """)
    void a_decision_of_an_agent(String kind, String violations, String words) {
        String full =
                violations.replaceAll("\\{\"rule\":\"([a-z_]+)\"}", "{\"rule\":\"$1\",\"message\":\"It broke.\"}");
        assertThat(words(
                        EventKind.GUARDRAIL_DECISION,
                        "{\"actor\":\"agent\",\"agentKeyId\":\"" + KEY + "\",\"kind\":\"" + kind + "\"," + TRADE
                                + ",\"violations\":" + full + ",\"allowed\":" + violations.equals("[]") + "}"))
                .isEqualTo(words);
    }

    @Test
    void a_trade_that_could_not_be_read() {
        assertThat(words(
                        EventKind.GUARDRAIL_DECISION,
                        "{\"actor\":\"agent\",\"agentKeyId\":\"" + KEY
                                + "\",\"kind\":\"validate-batch\",\"trade\":null,\"allowed\":false,"
                                + "\"violations\":[{\"rule\":\"invalid_payload\",\"message\":\"It is malformed.\"}]}"))
                .isEqualTo("Robot sent a trade that could not be read: blocked, malformed.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            true  | null        | []                                                 | You accepted request 7, to buy BTC for $1,200.
            true  | null        | [{"rule":"cash_floor","message":"It is broken."}]  | You accepted request 7, to buy BTC for $1,200: blocked, cash floor.
            false | null        | []                                                 | You rejected request 7, to buy BTC for $1,200.
            false | "Not now"   | []                                                 | You rejected request 7, to buy BTC for $1,200: Not now.
            false | "Why BTC?"  | []                                                 | You rejected request 7, to buy BTC for $1,200: Why BTC?
            """)
    void an_answer_of_the_user(boolean accepted, String reason, String violations, String words) {
        assertThat(words(
                        EventKind.GUARDRAIL_DECISION,
                        "{\"actor\":\"user\",\"agentKeyId\":\"" + KEY + "\",\"kind\":\"attestation\"," + TRADE
                                + ",\"violations\":" + violations + ",\"allowed\":" + accepted
                                + ",\"serviceRequestId\":7,\"attestation\":{\"accepted\":" + accepted + ",\"reason\":"
                                + reason + "}}"))
                .isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            IPS_CREATED         | {"ipsVersion":1,"document":{}}                                   | You set the policy, version 1.
            IPS_AMENDED         | {"ipsVersion":2,"document":{}}                                   | You changed the policy, version 2.
            IPS_AMENDED         | {"ipsVersion":3,"document":{"paused":true}}                      | You changed the policy, version 3; all agents are paused.
            KEY_MINTED          | {"name":"Robot"}                                                 | You minted the key Robot.
            KEY_ROTATED         | {"name":"Robot"}                                                 | You gave the key Robot a new secret.
            KEY_ROTATED         | {"name":"Robot","secretChanged":false}                           | You changed the key Robot.
            KEY_REVOKED         | {"name":"Robot"}                                                 | You revoked the key Robot.
            KEY_MINTED          | {"name":"Phone","keyClass":"passkey"}                            | You added the passkey Phone.
            KEY_REVOKED         | {"name":"Phone","keyClass":"passkey"}                            | You removed the passkey Phone.
            DRIFT_DETECTED      | {"rule":"crypto_max_allocation","limit":"0.35","actual":"0.364"} | Drift: crypto maximum of 35% passed, now 36.4%.
            DRIFT_CLEARED       | {"rule":"cash_floor","limit":"0.05","actual":"0.1"}              | Drift over: cash floor of 5% kept again, now 10%.
            SIGNING_KEY_ROTATED | {"reason":"scheduled"}                                           | The service changed its signing key (scheduled).
            """)
    void every_other_kind(EventKind kind, String payload, String words) {
        assertThat(words(kind, payload)).isEqualTo(words);
    }

    @Test
    void a_trade_of_the_user_and_a_fill_of_a_request() {
        String trade = "{\"action\":\"sell\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":\"2.5\","
                + "\"price\":\"500.5\",\"amountUsd\":\"1251.25\",\"custodian\":\"main\",\"serviceRequestId\":";

        assertThat(words(EventKind.TRADE_OBSERVED, trade + "null}"))
                .isEqualTo("You sold 2.5 SPY at $500.50 for $1,251.25 at main.");
        assertThat(words(EventKind.TRADE_OBSERVED, trade + "9}"))
                .isEqualTo("Filled: sold 2.5 SPY at $500.50 for $1,251.25, request 9.");
        String fractional =
                trade.replace("\"2.5\"", "\"10.188300163624100627\"").replace("1251.25", "999.9999999999");
        assertThat(words(EventKind.TRADE_OBSERVED, fractional + "9}"))
                .isEqualTo("Filled: sold 10.18830016 SPY at $500.50 for $1,000, request 9.");
        assertThat(words(EventKind.TRADE_OBSERVED, trade.replace("\"2.5\"", "\"0.0000000004\"") + "9}"))
                .startsWith("Filled: sold 0.0000000004 SPY at $500.50 for ");
    }

    @ParameterizedTest
    @EnumSource(EventKind.class)
    void of_an_erased_event_only_the_kind_is_told(EventKind kind) {
        EventFacts facts = facts(kind, null);

        assertThat(facts.isErased()).isTrue();
        assertThat(facts.text(key -> "Robot", null)).endsWith("its content was erased.");
        assertThat(facts.agentKeyId()).isNull();
        assertThat(facts.allowed()).isNull();
        assertThat(facts.rules()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Rule.class)
    void every_rule_has_words(Rule rule) {
        String text = words(
                EventKind.GUARDRAIL_DECISION,
                "{\"actor\":\"agent\",\"agentKeyId\":\"" + KEY + "\",\"kind\":\"propose\"," + TRADE
                        + ",\"allowed\":false,\"violations\":[{\"rule\":\"" + rule.wireName()
                        + "\",\"message\":\"It is broken.\"}]}");

        assertThat(text)
                .startsWith("Robot asked to buy BTC for $1,200: blocked, ")
                .doesNotContain("_");
    }

    private static String words(EventKind kind, String payload) {
        return facts(kind, payload).text(key -> "Robot", null);
    }

    private static EventFacts facts(EventKind kind, @Nullable String payload) {
        return EventFacts.of(new ScannedRow(1, UUID.randomUUID(), kind, Instant.EPOCH, payload, "0".repeat(64)));
    }
}
