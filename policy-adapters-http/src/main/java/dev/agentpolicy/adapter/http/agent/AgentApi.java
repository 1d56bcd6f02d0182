package dev.agentpolicy.adapter.http.agent;

import static dev.agentpolicy.adapter.http.route.Access.ANY_KEY;
import static dev.agentpolicy.adapter.http.route.Access.PROPOSE;
import static dev.agentpolicy.adapter.http.route.Access.PUBLIC;
import static dev.agentpolicy.adapter.http.route.Access.READ;
import static dev.agentpolicy.adapter.http.route.Access.READ_WITH_KEY;
import static dev.agentpolicy.adapter.http.route.Access.VALIDATE;

import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.CacheableAnswer;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.RequestDispatch;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.usecase.agent.ReadUsage;
import io.javalin.http.Context;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The agent API: one row for each endpoint in the table of the specification. */
public final class AgentApi {
    private final CallGate gate;
    private final SigningKeysEndpoint signingKeys;
    private final ReadUsage usage;
    private final FairShare share;
    private final CacheableAnswer description = OpenApiResource.load();

    /**
     * Creates the API.
     *
     * @param manifest supplies the signing keys that are published now
     * @param share limits reads, together with what the user reads in the app
     */
    public AgentApi(CallGate gate, Supplier<SigningKeyManifest> manifest, ReadUsage usage, FairShare share) {
        this.gate = gate;
        this.share = share;
        this.signingKeys = new SigningKeysEndpoint(manifest);
        this.usage = usage;
    }

    public List<Route> routes() {
        return List.of(
                row("GET", "whoami", ANY_KEY, "-", AgentStateEndpoints::whoami),
                row("GET", "mandate", READ_WITH_KEY, "-", AgentStateEndpoints::mandate),
                row("GET", "holdings", READ_WITH_KEY, "-", AgentStateEndpoints::holdings),
                row(
                        "GET",
                        "audit",
                        READ,
                        "limit, agentKeyId, allowed, since, before",
                        call -> AuditFeed.ofAgent(call, share)),
                row("POST", "policy/validate", VALIDATE, "TradePayload", ValidateEndpoints::one),
                row("POST", "policy/validate-batch", VALIDATE, "BatchValidateRequest", ValidateEndpoints::batch),
                row(
                        "POST",
                        "policy/headroom",
                        READ_WITH_KEY,
                        "HeadroomRequest",
                        call -> HeadroomEndpoints.one(call, share)),
                row("GET", "policy/headroom", READ_WITH_KEY, "-", call -> HeadroomEndpoints.all(call, share)),
                row(
                        "GET",
                        "policy/events",
                        READ,
                        "limit, cursor, eventType, since, order",
                        call -> EventFeed.ofAgent(call, share)),
                open("GET", "signing-keys", "-", signingKeys::answer),
                row(
                        "GET",
                        "usage",
                        READ,
                        "days",
                        call -> RequestDispatch.blocking(call.ctx(), () -> UsageFeed.ofAgent(call, usage, share))),
                row(
                        "POST",
                        "trades/propose",
                        PROPOSE,
                        "Idempotency-Key, TradePayload, rationale",
                        ProposeEndpoint::propose),
                open("GET", "openapi.json", "-", description::answer));
    }

    private Route row(String method, String name, Access access, String input, Consumer<AgentCall> work) {
        String path = CallGate.PREFIX + name;
        return new Route(method, path, access, input, gate.admit(path, access, work));
    }

    private Route open(String method, String name, String input, Consumer<Context> work) {
        String path = CallGate.PREFIX + name;
        return new Route(method, path, PUBLIC, input, gate.admitAnyone(path, work));
    }
}
