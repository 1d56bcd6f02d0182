package dev.agentpolicy.adapter.http.agent;

import static dev.agentpolicy.adapter.http.route.Access.PUBLIC;

import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import io.javalin.http.Context;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The agent API: one row for each endpoint in the table of the specification. */
public final class AgentApi {
    private final CallGate gate;
    private final SigningKeysEndpoint signingKeys;
    private final AgentOperations operations;

    /**
     * Creates the API.
     *
     * @param manifest supplies the signing keys that are published now
     */
    public AgentApi(CallGate gate, Supplier<SigningKeyManifest> manifest, AgentOperations operations) {
        this.gate = gate;
        this.signingKeys = new SigningKeysEndpoint(manifest);
        this.operations = operations;
    }

    public List<Route> routes() {
        return List.of(
                row("GET", "whoami", operations.whoami(), "-"),
                row("GET", "mandate", operations.mandate(), "-"),
                row("GET", "holdings", operations.holdings(), "-"),
                row("GET", "audit", operations.audit(), "limit, agentKeyId, allowed, since, before"),
                row("POST", "policy/validate", operations.validate(), "TradePayload"),
                row("POST", "policy/validate-batch", operations.validateBatch(), "BatchValidateRequest"),
                row("POST", "policy/headroom", operations.headroom(), "HeadroomRequest"),
                row("GET", "policy/headroom", operations.headroomOfAll(), "-"),
                row("GET", "policy/events", operations.events(), "limit, cursor, eventType, since, order"),
                open("GET", "signing-keys", "-", signingKeys::answer),
                row("GET", "usage", operations.usage(), "days"),
                row("POST", "trades/propose", operations.propose(), "Idempotency-Key, TradePayload, rationale"),
                open("GET", "openapi.json", "-", OpenApiResource::answer));
    }

    private Route row(String method, String name, Operation operation, String input) {
        String path = CallGate.PREFIX + name;
        return new Route(method, path, operation.access(), input, gate.admit(path, operation));
    }

    private Route open(String method, String name, String input, Consumer<Context> work) {
        String path = CallGate.PREFIX + name;
        return new Route(method, path, PUBLIC, input, gate.admitAnyone(path, work));
    }
}
