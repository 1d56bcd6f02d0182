package dev.agentpolicy.adapter.http.agent;

import static dev.agentpolicy.adapter.http.route.Access.PUBLIC;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentpolicy.adapter.http.agent.CallGate.Operation;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.CacheableAnswer;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The agent API: one row for each endpoint in the table of the specification. */
public final class AgentApi {
    private static final String DESCRIPTION = "openapi.json";
    private static final JsonMapper JSON = new JsonMapper();

    private final CallGate gate;
    private final Supplier<SigningKeyManifest> manifest;
    private final AgentOperations operations;

    /** Read and hashed at the first call, since that takes a tenth of a second in a process that has just begun. */
    private static final class Description {
        static final CacheableAnswer ANSWER = CacheableAnswer.of(description());
    }

    /**
     * Creates the API.
     *
     * @param manifest supplies the signing keys that are published now
     */
    public AgentApi(CallGate gate, Supplier<SigningKeyManifest> manifest, AgentOperations operations) {
        this.gate = gate;
        this.manifest = manifest;
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
                row("GET", "policy/events/{seq}/proof", operations.proof(call -> EventFeed.seq(call.ctx())), "-"),
                open("GET", "signing-keys", "-", this::signingKeys),
                row("GET", "usage", operations.usageOfAll(), "days"),
                row("POST", "trades/propose", operations.propose(), "Idempotency-Key, TradePayload, rationale"),
                open("GET", DESCRIPTION, "-", ctx -> Description.ANSWER.answer(ctx)));
    }

    /** The OpenAPI description of both APIs, byte for byte the file {@code docs/openapi.json}. */
    public static byte[] description() {
        try (InputStream in = AgentApi.class.getResourceAsStream(DESCRIPTION)) {
            if (in == null) {
                throw new IllegalStateException("The jar lacks " + DESCRIPTION + ".");
            }
            return in.readAllBytes();
        } catch (IOException damaged) {
            throw new UncheckedIOException("The jar is damaged: " + DESCRIPTION + " cannot be read.", damaged);
        }
    }

    /** Answers with the public keys that verify the chain (specification, signing-key manifest). */
    private void signingKeys(Context ctx) {
        try {
            CacheableAnswer.of(JSON.writeValueAsBytes(manifest.get().tree())).answer(ctx);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("The manifest consists of maps, lists, strings and integers.", impossible);
        }
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
