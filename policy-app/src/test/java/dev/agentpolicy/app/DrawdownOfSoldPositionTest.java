package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** The drawdown after the last unit of an asset was sold, when no holding has its price any more. */
@OnEveryDatabase
class DrawdownOfSoldPositionTest extends DatabaseTests {

    @Test
    void selling_the_whole_position_at_a_loss_is_a_drawdown() {
        ProposalClient queue = ProposalClient.of(node.caller());

        queue.household().user().post(APP + "custodians/paper/trades", """
                        {"action":"sell","symbol":"SPY","assetType":"tradfi","quantity":100,"price":325}""").ok();

        assertThat(drawdown(queue)).isEqualByComparingTo("0.325");
        JsonNode decision =
                queue.propose(trade("buy", "AGG", "tradfi", "10")).ok().json().get("decision");
        assertThat(decision.get("reason").textValue()).isEqualTo("1 violation: drawdown_exceeded");
    }

    @Test
    void selling_the_whole_position_at_the_current_price_is_no_drawdown() {
        ProposalClient queue = ProposalClient.of(node.caller());
        queue.hold("other", "0", "[{\"symbol\":\"AGG\",\"assetType\":\"tradfi\",\"quantity\":1,\"price\":1}]");
        long id = queue.propose(trade("sell", "AGG", "tradfi", "5000"))
                .ok()
                .json()
                .get("serviceRequestId")
                .longValue();

        JsonNode execution = queue.accept(id).ok().json().get("execution");

        assertThat(execution.get("custodian").textValue()).isEqualTo("paper");
        assertThat(execution.get("quantity").decimalValue()).isEqualByComparingTo("50");
        assertThat(drawdown(queue)).isZero();
    }

    private static BigDecimal drawdown(ProposalClient queue) {
        return queue.agent()
                .get(API + "mandate")
                .ok()
                .json()
                .get("snapshot")
                .get("currentDrawdownPct")
                .decimalValue();
    }
}
