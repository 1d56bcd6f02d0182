package dev.agentpolicy.adapter.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.agent.Credential;
import dev.agentpolicy.domain.agent.Scope;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What keys without the scope read are told by decisions, at every door (docs/reference/agent-api.md, validate). */
class KeysWithoutReadTest {
    private static final String BUY =
            "{\"action\":\"buy\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\",\"amountUsd\":90000}";
    private static final String ACCESS =
            "{\"subject\":{\"type\":\"agent\",\"id\":\"%s\"},\"action\":{\"name\":\"buy\"},"
                    + "\"resource\":{\"type\":\"asset\",\"id\":\"SPY\",\"properties\":{\"assetType\":\"tradfi\"}},"
                    + "\"context\":{\"amountUsd\":90000}}";

    private final TestService service = new TestService().withPolicyAndPortfolio();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void no_answer_has_figures_of_holdings() {
        String key = service.key(Scope.VALIDATE, Scope.PROPOSE);
        String id = service.store
                .agentKeys()
                .recall(Credential.parse(key).orElseThrow().hash())
                .orElseThrow()
                .id()
                .toString();
        Client agent = service.client().withKey(key);
        String access = ACCESS.formatted(id);

        Map.of(
                        "/api/agent/v1/policy/validate",
                        BUY,
                        "/api/agent/v1/policy/validate-batch",
                        "{\"trades\":[" + BUY + "]}",
                        "/api/agent/v1/trades/propose",
                        BUY,
                        "/access/v1/evaluation",
                        access,
                        "/access/v1/evaluations",
                        "{\"evaluations\":[" + access + "]}",
                        "/mcp",
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                                + "{\"name\":\"validate_trade\",\"arguments\":" + BUY + "}}")
                .forEach((path, body) -> {
                    String text = agent.post(path, body).text();
                    assertThat(text)
                            .as(path)
                            .contains("Stopped by insufficient_cash.", "Stopped by tradfi_max_allocation.")
                            .doesNotContain("actual", "totalValue", "suggestion", "stale", "of the portfolio");
                });
    }
}
