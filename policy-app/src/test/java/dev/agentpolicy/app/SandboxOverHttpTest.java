package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Test keys decide like live ones, and leave no trace (docs/reference/sandbox.md). */
@OnEveryDatabase
class SandboxOverHttpTest extends DatabaseTests {

    @Test
    void a_test_key_writes_no_row_but_telemetry() throws Exception {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller sandbox = household.agent(household.mint("test"));
        Map<String, Long> before = counts();

        List<Seen> answers = List.of(
                sandbox.get(API + "whoami"),
                sandbox.get(API + "mandate"),
                sandbox.get(API + "holdings"),
                sandbox.post(API + "policy/validate", trade("buy", "ETH", "crypto", "100")),
                sandbox.post(API + "policy/validate", trade("sell", "BTC", "crypto", "15000")),
                sandbox.post(
                        API + "policy/validate-batch", "{\"trades\":[" + trade("buy", "ETH", "crypto", "1") + "]}"),
                sandbox.with("Idempotency-Key", "k").post(API + "trades/propose", trade("buy", "SPY", "tradfi", "100")),
                sandbox.with("Idempotency-Key", "k").post(API + "trades/propose", trade("buy", "SPY", "tradfi", "100")),
                sandbox.get(API + "audit"),
                sandbox.get(API + "policy/events"),
                sandbox.get(API + "usage"),
                sandbox.post(API + "policy/validate", "{}"),
                sandbox.get(API + "nothing"));

        assertThat(answers)
                .allSatisfy(seen -> assertThat(seen.header("X-Service-Sandbox"))
                        .describedAs(seen.text())
                        .isEqualTo("true"));
        assertThat(answers.stream().map(Seen::status))
                .containsExactly(200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 400, 404);
        JsonNode proposed = answers.get(6).json();
        assertThat(proposed.get("serviceRequestId").longValue()).isNegative();
        assertThat(answers.get(7).json().get("serviceRequestId")).isEqualTo(proposed.get("serviceRequestId"));
        assertThat(counts()).isEqualTo(before);
    }

    /** The rows of all tables but those of the transparency log, which takes in what was signed before. */
    private Map<String, Long> counts() throws SQLException {
        Map<String, Long> counts = TableReader.counts(url);
        counts.keySet().removeIf(table -> table.startsWith("tlog"));
        return counts;
    }

    @Test
    void a_test_key_whose_secret_is_rotated_or_that_is_revoked_is_refused_at_once() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        JsonNode minted = household.mint("test");
        ApiCaller sandbox = household.agent(minted);
        sandbox.post(API + "policy/validate", trade("buy", "ETH", "crypto", "100"))
                .ok();

        household
                .user()
                .delete(TestHousehold.APP + "keys/" + minted.get("agentKeyId").textValue())
                .ok();

        assertThat(sandbox.post(API + "policy/validate", trade("buy", "ETH", "crypto", "100"))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void the_demonstration_chain_is_signed_by_keys_that_can_sign_no_other() throws Exception {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ChainPages chain = ChainPages.of(household.agent(household.mint("test")));

        assertThat(chain.verdicts(folder, "--purpose", "sandbox")).allMatch(verdict -> verdict.startsWith("ok "));
        assertThat(chain.verdicts(folder)).noneMatch(verdict -> verdict.startsWith("ok "));
    }
}
