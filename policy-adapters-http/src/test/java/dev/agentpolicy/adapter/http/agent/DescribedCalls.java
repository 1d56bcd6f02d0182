package dev.agentpolicy.adapter.http.agent;

import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static dev.agentpolicy.adapter.http.SignedIn.APP;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** For each operation of the description, a valid call with all it needs: a key, a request, a session. */
public final class DescribedCalls {
    private static final String KEY = "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"read\"]}";
    private static final String OWN_TRADE =
            "{\"action\":\"buy\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":\"1\",\"price\":500}";
    private static final String HEADROOM = "{\"action\":\"buy\",\"assetSymbol\":\"BTC\",\"assetType\":\"crypto\"}";
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("POST /api/agent/v1/policy/validate", TRADE),
            Map.entry("POST /api/agent/v1/policy/validate-batch", "{\"trades\":[" + TRADE + "]}"),
            Map.entry("POST /api/agent/v1/policy/headroom", HEADROOM),
            Map.entry("POST /api/agent/v1/trades/propose", TRADE),
            Map.entry("POST " + APP + "session", SignedIn.LOGIN),
            Map.entry("PUT " + APP + "ips", SignedIn.IPS),
            Map.entry("POST " + APP + "ips/preview", SignedIn.IPS),
            Map.entry("PUT " + APP + "custodians/{id}", SignedIn.BOOK),
            Map.entry("POST " + APP + "custodians/{id}/trades", OWN_TRADE),
            Map.entry("POST " + APP + "keys", KEY),
            Map.entry("POST " + APP + "requests/{id}/reject", "{}"));

    private final AtomicInteger strangers = new AtomicInteger();
    private final TestService service;
    private final SignedIn signedIn;
    private final Client agent;

    public DescribedCalls(TestService service) {
        this.service = service;
        this.signedIn = new SignedIn(service);
        this.agent = signedIn.agent();
    }

    /**
     * A call with all it needs.
     *
     * @param operation method and path as in the description
     * @param by the client that makes it
     */
    public record Call(String operation, String path, String body, Client by) {

        public Seen made() {
            return madeBy(by);
        }

        public Seen madeBy(Client other) {
            return with(body, other);
        }

        /** The same call with another body. */
        public Seen with(String other, Client client) {
            return other.isEmpty()
                    ? client.send(method(), path, BodyPublishers.noBody())
                    : client.with("Content-Type", "application/json").sendText(method(), path, other);
        }

        /** The same call with another path or query. */
        public Call at(String other) {
            return new Call(operation, other, body, by);
        }

        public String method() {
            return operation.substring(0, operation.indexOf(' '));
        }

        public boolean isAgents() {
            return path.startsWith(CallGate.PREFIX);
        }
    }

    /** A new call of an operation, in a second of its own. */
    public Call of(String operation) {
        service.clock.advance(Duration.ofSeconds(1));
        String path = operation.substring(operation.indexOf(' ') + 1);
        Client by = path.startsWith(APP) ? signedIn.user() : agent;
        return new Call(operation, path(path, by), body(operation), by);
    }

    /** A user without a policy. */
    public Client newcomer() {
        String login = newUser();
        service.client().post(APP + "users", login);
        String cookie = service.client().post(APP + "session", login).header("Set-Cookie");
        return service.client().with("Cookie", cookie.substring(0, cookie.indexOf(';')));
    }

    private String newUser() {
        return SignedIn.LOGIN.replace("Ann", "Stranger" + strangers.incrementAndGet());
    }

    private String body(String operation) {
        return operation.equals("POST " + APP + "users") ? newUser() : BODIES.getOrDefault(operation, "");
    }

    private String path(String path, Client user) {
        if (path.startsWith(APP + "keys/{id}")) {
            return path.replace(
                    "{id}",
                    user.post(APP + "keys", KEY).json().get("agentKeyId").textValue());
        }
        if (path.startsWith(APP + "requests/{id}")) {
            return path.replace(
                    "{id}",
                    agent.post(Client.PROPOSE, TRADE)
                            .json()
                            .get("serviceRequestId")
                            .asText());
        }
        return path.replace("{id}", "main").replace("{n}", "1");
    }
}
