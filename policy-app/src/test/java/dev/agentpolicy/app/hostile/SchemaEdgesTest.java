package dev.agentpolicy.app.hostile;

import static dev.agentpolicy.app.hostile.Agreement.DOCUMENT;
import static dev.agentpolicy.app.hostile.Injected.coded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.hostile.edge.EdgeMixer;
import dev.agentpolicy.app.hostile.edge.Edges;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import dev.agentpolicy.openapi.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/**
 * What the schemas of docs/openapi.json allow is taken, and what they do not is refused, at every edge they have: the
 * service and its description agree on every constraint. What no schema says is in {@code RuleInWords}.
 */
@ExtendWith(AttackedService.Shared.class)
class SchemaEdgesTest {
    private static final int MIXED = ExperimentSettings.times(10, 1_000);
    /** One edge of so many is sent, at random. */
    private static final int ONE_IN = ExperimentSettings.times("edges.one-in", 8, 1);

    private static final int HASHED = 10;

    /** Users that take turns, since the calls of each are limited for a second. */
    private static final int USERS = 10;

    /** The key in the examples of the description. */
    private static final String EXAMPLE_KEY = "0f8fad5b-d9cb-469f-a165-70867728950e";

    private final long seed = ExperimentSettings.seed(SchemaEdgesTest.class);
    private final Random random = new Random(seed);
    private final Edges edges = new Edges(DOCUMENT);
    private final Agreement agreement = new Agreement();

    private final List<Tenant> tenants = new ArrayList<>();
    private Tenant tenant;
    private ApiCaller stranger;

    @BeforeEach
    void move(AttackedService target) {
        for (int i = 0; i < USERS; i++) {
            Tenant one = new Tenant(target.address, "edges");
            one.user.openAllSessions();
            tenants.add(one);
        }
        nextTenant();
        stranger = new ApiCaller(target.address);
    }

    private void nextTenant() {
        Collections.rotate(tenants, 1);
        tenant = tenants.get(0);
    }

    @AfterEach
    void requireUnharmed(AttackedService target) throws Exception {
        target.requireUnharmed();
    }

    @Test
    void a_body_is_taken_or_refused_as_its_schema_says() {
        for (Operation operation : operations()) {
            if (!operation.requestSchema().isMissingNode()) {
                Set<JsonNode> bodies = edges.bodies(operation);
                EdgeMixer mixture = new EdgeMixer(random, edges.example(operation), bodies);
                bodies.stream().filter(body -> isItsTurn()).forEach(body -> send(operation, body));
                for (int i = isOfStrangers(operation) ? MIXED / HASHED : MIXED; i > 0; i--) {
                    send(operation, mixture.next());
                }
            }
        }
        System.out.printf("Bodies: %s, seed %d%n", agreement, seed);
        assertThat(agreement.faults).as("seed %d", seed).isEmpty();
    }

    private boolean isItsTurn() {
        return random.nextInt(ONE_IN) == 0;
    }

    /** A key is ended again, since an account has only so many. */
    private void send(Operation operation, JsonNode body) {
        nextTenant();
        ApiCaller caller = caller(operation);
        String sent = body.toString().replace(EXAMPLE_KEY, tenant.keyId);
        Optional<Seen> seen = agreement.body(caller, operation, path(operation), sent);
        seen.filter(made -> made.status() == 201 && operation.path().endsWith("/keys"))
                .map(made -> made.json().get("agentKeyId").textValue())
                .ifPresent(id -> caller.delete(operation.path() + "/" + id).ok());
    }

    @Test
    void a_parameter_is_taken_or_refused_as_its_schema_says() {
        for (Operation operation : operations()) {
            for (JsonNode parameter : DOCUMENT.parameters(operation)) {
                edges.texts(parameter).stream()
                        .filter(text -> isItsTurn())
                        .forEach(text -> send(operation, parameter, text));
            }
        }
        System.out.printf("Parameters: %s%n", agreement);
        assertThat(agreement.faults).isEmpty();
    }

    /** In a header only what any client can send there, and with a body no id of the request, which costs much time. */
    private void send(Operation operation, JsonNode parameter, String text) {
        nextTenant();
        String name = parameter.get("name").asString();
        String place = parameter.get("in").asString();
        boolean isIdOfBody = name.equals("X-Request-Id") && body(operation) != null;
        ApiCaller caller = caller(operation);
        String path = path(operation);
        if (place.equals("query")) {
            path += "?" + name + "=" + coded(text);
        } else if (place.equals("path") && !text.isEmpty()) {
            path = operation.path().replace("{" + name + "}", coded(text));
        } else if (place.equals("header") && !isIdOfBody && text.matches("|[!-~]|[!-~][ -~]*[!-~]")) {
            caller = caller.with(name, text);
        } else {
            return;
        }
        agreement.text(caller, operation, path, body(operation), parameter, text);
    }

    private String body(Operation operation) {
        return operation.requestSchema().isMissingNode()
                ? null
                : edges.example(operation).toString();
    }

    private ApiCaller caller(Operation operation) {
        return isOfStrangers(operation) ? stranger : operation.isOfAgents() ? tenant.agent : tenant.user;
    }

    private static boolean isOfStrangers(Operation operation) {
        return operation.path().matches(".*/(session|users|password-reset.*|email-confirmation.*)")
                || operation.path().contains("/session/passkey");
    }

    /** What compares the password, of which there are few tries, ends sessions, or never ends itself. */
    private static List<Operation> operations() {
        return DOCUMENT.operations().stream()
                .filter(operation -> !operation.path().matches(".*/(sessions|me/(password|email|attestation)|stream)"))
                .filter(operation ->
                        !(operation.path().endsWith("/me") || operation.path().contains("/passkeys/"))
                                || !operation.method().equals("DELETE"))
                .filter(operation -> !(operation.path().endsWith("/passkeys")
                        && operation.method().equals("POST")))
                .toList();
    }

    /** With ids of the tenant, whose own key is needed, and whose custodian is not removed. */
    private String path(Operation operation) {
        String path = operation.path();
        String id = path.contains("/keys/")
                ? UUID.randomUUID().toString()
                : path.contains("/requests/")
                        ? tenant.requestId
                        : operation.method().equals("DELETE") ? "none" : tenant.custodian;
        return path.replace("{id}", id)
                .replace("{n}", "1")
                .replace("{seq}", "1")
                .replace("{token}", "A".repeat(43));
    }
}
