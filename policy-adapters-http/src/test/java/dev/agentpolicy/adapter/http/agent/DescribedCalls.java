package dev.agentpolicy.adapter.http.agent;

import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static dev.agentpolicy.adapter.http.SignedIn.APP;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.agent.AgentKey.ConnectedClient;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.ConnectionStore.AskedConnection;
import dev.agentpolicy.domain.port.ConnectionStore.AskingClient;
import dev.agentpolicy.domain.port.ConnectionStore.AuthorizationRequest;
import dev.agentpolicy.domain.port.RecordedNotices;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import dev.agentpolicy.domain.usecase.signin.Login;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** For each operation of the description, a valid call with all it needs: a key, a request, a session. */
public final class DescribedCalls {
    private static final String CONNECT = "POST " + APP + "custodians/{id}/connect";
    private static final String DELETE_ACCOUNT = "DELETE " + APP + "me";
    private static final String KEY = "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"read\"]}";
    private static final String OWN_TRADE =
            "{\"action\":\"buy\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":\"1\",\"price\":500}";
    private static final String APPROVAL = "{\"ruleId\":\"ask\",\"until\":\"2026-12-01T00:00:00Z\"}";
    /** A browser to add. */
    public static final String DEVICE = """
            {"name":"Phone","subscription":{"endpoint":"https://push.example/abc","expirationTime":null,"keys":{
              "p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
              "auth":"BTBZMqHH6r4Tts7J_aSIgg"}}}""";

    private static final String VIEWER = "{\"name\":\"Adviser\",\"expiresInDays\":90}";
    private static final String HEADROOM = "{\"action\":\"buy\",\"assetSymbol\":\"BTC\",\"assetType\":\"crypto\"}";
    private static final String EVALUATION =
            "{\"subject\":{\"type\":\"agent\",\"id\":\"a\"},\"action\":{\"name\":\"buy\"},\"resource\":{\"type\":\"asset\",\"id\":\"ETH\","
                    + "\"properties\":{\"assetType\":\"crypto\"}},\"context\":{\"amountUsd\":100}}";
    private static final String TESTS =
            "{\"tests\":[{\"name\":\"no BTC\",\"portfolio\":{\"cash\":100,\"positions\":[]},\"trade\":" + TRADE
                    + ",\"expect\":{\"allowed\":false}}]}";
    private static final String SHADOW = "{\"document\":" + SignedIn.IPS + "}";
    private static final String BROWSER = "ab".repeat(32);
    private static final String CONFIRMED = "{\"password\":\"correct horse battery\"}";
    private static final Set<String> OF_ANOTHER_POLICY =
            Set.of("POST " + APP + "pause", "POST " + APP + "resume", "POST " + APP + "approvals");
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("POST /api/agent/v1/policy/validate", TRADE),
            Map.entry("POST /api/agent/v1/policy/validate-batch", "{\"trades\":[" + TRADE + "]}"),
            Map.entry("POST /api/agent/v1/policy/headroom", HEADROOM),
            Map.entry("POST /api/agent/v1/trades/propose", TRADE),
            Map.entry("POST /access/v1/evaluation", EVALUATION),
            Map.entry("POST /access/v1/evaluations", "{\"evaluations\":[" + EVALUATION + "]}"),
            Map.entry("POST " + APP + "session", SignedIn.LOGIN),
            Map.entry(
                    "POST " + APP + "me/password",
                    "{\"current\":\"correct horse battery\",\"new\":\"correct horse battery\"}"),
            Map.entry("PUT " + APP + "me", "{\"requestMails\":\"plain\"}"),
            Map.entry(
                    "POST " + APP + "me/email",
                    "{\"email\":\"ann@example.net\",\"password\":\"correct horse battery\"}"),
            Map.entry("POST " + APP + "email-confirmation/{token}", "{}"),
            Map.entry("POST " + APP + "password-reset/{token}", "{\"password\":\"a staple nobody tries\"}"),
            Map.entry("DELETE " + APP + "me", "{\"password\":\"correct horse battery\"}"),
            Map.entry("POST " + APP + "session/passkey/options", "{}"),
            Map.entry("POST " + APP + "passkeys/options", "{}"),
            Map.entry("POST " + APP + "requests/{id}/passkey-options", "{}"),
            Map.entry("POST " + APP + "confirmations", "{\"method\":\"POST\",\"path\":\"/passkeys\"}"),
            Map.entry(
                    "PUT " + APP + "me/attestation",
                    "{\"passkeyAboveUsd\":1000000,\"confirmation\":" + CONFIRMED + "}"),
            Map.entry("DELETE " + APP + "passkeys/{id}", CONFIRMED),
            Map.entry("PUT " + APP + "ips", SignedIn.IPS),
            Map.entry("POST " + APP + "ips/preview", SignedIn.IPS),
            Map.entry("POST " + APP + "ips/compare", "{\"to\":{\"document\":" + SignedIn.IPS + "}}"),
            Map.entry("PUT " + APP + "ips/shadow", SHADOW),
            Map.entry("POST " + APP + "ips/shadow/promote", "{}"),
            Map.entry("PUT " + APP + "ips/tests", TESTS),
            Map.entry("POST " + APP + "ips/tests/run", "{}"),
            Map.entry("POST " + APP + "portfolio/peak", "{\"confirmation\":" + CONFIRMED + "}"),
            Map.entry("PUT " + APP + "custodians/{id}", SignedIn.BOOK),
            Map.entry("DELETE " + APP + "custodians/{id}", "{}"),
            Map.entry(CONNECT, SignedIn.CONNECT),
            Map.entry("POST " + APP + "custodians/{id}/trades", OWN_TRADE),
            Map.entry("POST " + APP + "keys", KEY),
            Map.entry("PATCH " + APP + "keys/{id}", "{\"paused\":false}"),
            Map.entry("POST " + APP + "keys/{id}/rotate", "{}"),
            Map.entry("POST " + APP + "connections/{id}/approve", KEY),
            Map.entry("POST " + APP + "connections/{id}/deny", "{}"),
            Map.entry("POST " + APP + "inbox/{id}/done", "{}"),
            Map.entry("POST " + APP + "push", DEVICE),
            Map.entry("POST " + APP + "viewers", VIEWER),
            Map.entry("POST " + APP + "pause", "{}"),
            Map.entry("POST " + APP + "resume", "{}"),
            Map.entry("POST " + APP + "approvals", APPROVAL),
            Map.entry("POST " + APP + "requests/reject", "{\"ids\":[999999]}"),
            Map.entry("POST " + APP + "custodians/{id}/sync", "{}"),
            Map.entry("POST " + APP + "requests/{id}/accept", "{}"),
            Map.entry("POST " + APP + "requests/{id}/reject", "{}"),
            Map.entry("POST " + APP + "requests/{id}/cancel", "{}"),
            Map.entry("POST " + APP + "requests/{id}/close", "{}"),
            Map.entry("POST " + APP + "ips/try", TRADE),
            Map.entry("POST " + APP + "keys/{id}/try", TRADE));

    private static final String TOGETHER = APP + "requests/accept";
    private static final String TOGETHER_OPTIONS = APP + "requests/passkey-options";

    private final AtomicInteger strangers = new AtomicInteger();
    private final TestService service;
    private final SignedIn signedIn;
    private final PasskeyCalls passkeys;
    private final Client agent;
    private final Client pausing;
    private final Client delaying;
    private final Client drifting;

    public DescribedCalls(TestService service) {
        this.service = service;
        this.signedIn = new SignedIn(service);
        this.passkeys = new PasskeyCalls(service);
        this.agent = signedIn.agent();
        this.pausing = pauser();
        this.delaying = delayer();
        this.drifting = drifter();
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
            return !path.startsWith(APP);
        }
    }

    /** A new call of an operation, in a second of its own. */
    public Call of(String operation) {
        service.clock.advance(Duration.ofSeconds(1));
        String path = operation.substring(operation.indexOf(' ') + 1);
        Client by = by(operation, path);
        return new Call(
                operation,
                operation.startsWith("DELETE") ? removable(path, by) : path(path, by),
                path.equals(TOGETHER) || path.equals(TOGETHER_OPTIONS) ? together(path, by) : body(operation),
                by);
    }

    /** A body that names a request that waits, and what its user sees. */
    private String together(String path, Client user) {
        user.put(APP + "custodians/main", SignedIn.BOOK);
        String id = proposed();
        if (path.equals(TOGETHER_OPTIONS)) {
            passkeys.registered(user);
            return "{\"ids\":[" + id + "]}";
        }
        JsonNode now = user.get(APP + "requests/" + id).json().get("now");
        return "{\"ids\":[%s],\"shown\":{\"ipsVersion\":%s,\"portfolioRevision\":%s}}"
                .formatted(id, now.get("ipsVersion"), now.get("portfolioRevision"));
    }

    private Client by(String operation, String path) {
        if (!path.startsWith(APP)) {
            return agent;
        }
        if (OF_ANOTHER_POLICY.contains(operation)) {
            return pausing;
        }
        if (operation.equals(DELETE_ACCOUNT)) {
            return leaver();
        }
        if (path.equals(APP + "ips/scheduled")) {
            return delaying;
        }
        if (path.startsWith(APP + "ips/shadow")) {
            return shadowing(owner());
        }
        if (path.startsWith(APP + "connections/")) {
            return connecting(owner());
        }
        if (path.startsWith(APP + "inbox/")) {
            return drifting;
        }
        return operation.equals(CONNECT) ? connector() : owner();
    }

    /** A user who has a shadow. */
    public static Client shadowing(Client user) {
        user.put(APP + "ips/shadow", SHADOW);
        return user;
    }

    /** A user whose portfolio leaves the limits of the policy, as often as it is asked for. */
    private Client drifter() {
        Client user = newcomer();
        user.put(APP + "ips", SignedIn.IPS);
        return user;
    }

    /** The id of a new item in the inbox of a user whose holdings were within the limits before. */
    private static String drifted(Client user) {
        for (int cash : new int[] {1, 0}) {
            user.put(APP + "custodians/book", """
                {"name":"Book","kind":"paper","cash":%d,
                  "positions":[{"symbol":"SPY","assetType":"tradfi","quantity":1,"price":1}]}\
                """.formatted(cash));
        }
        return user.get(APP + "inbox").json().get("items").get(0).get("id").textValue();
    }

    /** A user whose agents are paused and whose policy has a rule that asks for approval. */
    private Client pauser() {
        String login = SignedIn.LOGIN.replace("Ann", "Pauser");
        service.client().post(APP + "users", login);
        Client user = session(login);
        user.put(
                APP + "ips",
                SignedIn.IPS.replaceFirst(
                        "\\{", "{\"standingRules\":[{\"id\":\"ask\",\"effect\":\"require_approval\"}],"));
        return user;
    }

    /** A user with a policy that allows nothing, so that every other one waits. */
    private Client delayer() {
        String login = SignedIn.LOGIN.replace("Ann", "Delayer");
        service.client().post(APP + "users", login);
        Client user = session(login);
        user.put(APP + "ips", SignedIn.IPS.replaceFirst("\\{", "{\"allowedActions\":[],"));
        user.put(APP + "me/attestation", "{\"looseningDelayHours\":24}");
        return user;
    }

    /** The user whose looser policies wait. */
    public Client delaying() {
        return delaying;
    }

    public PasskeyCalls passkeys() {
        return passkeys;
    }

    /** What users are told by mail. */
    public RecordedNotices notices() {
        return service.notices;
    }

    /** The user whose agent makes the other calls. */
    public Client owner() {
        return signedIn.user();
    }

    /** A user whose account may be deleted; the address is signed up again each time. */
    private Client leaver() {
        String login = SignedIn.LOGIN.replace("Ann", "Leaver");
        service.app().signUp().add(new Login("leaver@example.org", "correct horse battery"));
        return session(login);
    }

    /** A user who connects to a broker, whose holdings no other call depends on. */
    private Client connector() {
        String login = SignedIn.LOGIN.replace("Ann", "Connector");
        service.client().post(APP + "users", login);
        return session(login);
    }

    private Client session(String login) {
        String cookie = service.client().post(APP + "session", login).header("Set-Cookie");
        return service.client().with("Cookie", cookie.substring(0, cookie.indexOf(';')));
    }

    /** The path of a call that removes something; the custodian is one that nothing else needs. */
    private String removable(String path, Client user) {
        if (path.equals(APP + "custodians/{id}")) {
            user.put(APP + "custodians/spare", "{\"name\":\"Spare\",\"kind\":\"paper\",\"cash\":0,\"positions\":[]}");
            return path.replace("{id}", "spare");
        }
        if (path.equals(APP + "ips/scheduled")) {
            user.put(APP + "ips", SignedIn.IPS);
        }
        return path(path, user);
    }

    /** A user without a policy. */
    public Client newcomer() {
        String login = newUser();
        service.client().post(APP + "users", login);
        return session(login);
    }

    private String newUser() {
        return SignedIn.LOGIN.replace("Ann", "Stranger" + strangers.incrementAndGet());
    }

    /** A token in a mail to a user of its own. */
    public String token(Purpose purpose, String email) {
        String token = "token-" + strangers.incrementAndGet();
        UserId user = service.app()
                .signUp()
                .add(new Login(newAddress(), "correct horse battery"))
                .fold(id -> id, refused -> {
                    throw new AssertionError(refused);
                });
        service.store
                .mailTokens()
                .store(
                        Sha256.hex(token),
                        new MailToken(
                                user, purpose, email, service.clock.instant().plusSeconds(3600)));
        return token;
    }

    private String newAddress() {
        return "address" + strangers.incrementAndGet() + "@example.org";
    }

    private String proposed() {
        return agent.post(Client.PROPOSE, TRADE).json().get("serviceRequestId").asText();
    }

    private String body(String operation) {
        return switch (operation) {
            case "POST " + APP + "users" -> newUser();
            case "POST " + APP + "password-reset" -> "{\"email\":\"" + newAddress() + "\"}";
            case "POST " + APP + "session/viewer" -> "{\"token\":\"" + viewerToken() + "\"}";
            case "POST " + APP + "passkeys" -> passkeys.registration(owner());
            case "POST " + APP + "session/passkey" -> passkeys.signIn(owner());
            default -> BODIES.getOrDefault(operation, "");
        };
    }

    /** A client whose browser brought the requests for connections. */
    public static Client connecting(Client user) {
        return user.with("Cookie", "policy_connect=" + BROWSER);
    }

    /** A new viewer of a user, who has few; the one made before is ended. */
    private JsonNode madeViewer(Client user) {
        user.get(APP + "viewers")
                .json()
                .get("viewers")
                .forEach(viewer ->
                        user.send("DELETE", APP + "viewers/" + viewer.get("id").textValue(), BodyPublishers.noBody()));
        return user.post(APP + "viewers", VIEWER).json();
    }

    private String viewerToken() {
        String url = madeViewer(owner()).get("url").textValue();
        return url.substring(url.indexOf('=') + 1);
    }

    /** A viewer of the owner's account. */
    public Client viewer() {
        String opened = service.client()
                .post(APP + "session/viewer", "{\"token\":\"" + viewerToken() + "\"}")
                .header("Set-Cookie");
        return service.client().with("Cookie", opened.substring(0, opened.indexOf(';')));
    }

    private UUID connectionRequest() {
        UUID id = UUID.randomUUID();
        service.store
                .connections()
                .begin(new AuthorizationRequest(
                        id,
                        Sha256.hex(BROWSER),
                        new AskedConnection(
                                new AskingClient("client", null, "a.example", false),
                                "https://a.example/cb",
                                null,
                                Set.of(Scope.values()),
                                BROWSER,
                                "http://localhost"),
                        service.clock.instant().plusSeconds(600),
                        false));
        return id;
    }

    /** The id of the key of a connection of a user. */
    public String connection(Client user) {
        KeyRequest key = new KeyRequest("Program", KeyType.LIVE, Set.of(Scope.READ), KeyPolicy.NO_CAPS, 90);
        UserId id = new UserId(
                UUID.fromString(user.get(APP + "me").json().get("userId").textValue()));
        return service.issueKeys
                .connect(id, key, new ConnectedClient("client", "a.example"), Sha256.hex(id.toString()))
                .toCompletableFuture()
                .join()
                .value()
                .id()
                .toString();
    }

    private String path(String path, Client user) {
        if (path.contains("{seq}")) {
            return path.replace("{seq}", "1");
        }
        if (path.startsWith(APP + "connections/")) {
            return path.replace("{id}", connectionRequest().toString());
        }
        if (path.startsWith(APP + "inbox/")) {
            return path.replace("{id}", drifted(user));
        }
        if (path.equals(APP + "push/{id}")) {
            return path.replace(
                    "{id}", user.post(APP + "push", DEVICE).json().get("id").textValue());
        }
        if (path.equals(APP + "viewers/{id}")) {
            return path.replace("{id}", madeViewer(user).get("id").textValue());
        }
        if (path.startsWith(APP + "passkeys/{id}")) {
            return path.replace("{id}", passkeys.registered(user));
        }
        if (path.equals(APP + "requests/{id}/passkey-options") || path.equals(APP + "confirmations")) {
            passkeys.registered(user);
        }
        if (path.startsWith(APP + "keys/{id}")) {
            return path.replace(
                    "{id}",
                    user.post(APP + "keys", KEY).json().get("agentKeyId").textValue());
        }
        if (path.equals(APP + "requests/{id}/cancel")) {
            user.put(APP + "custodians/main", SignedIn.CLOSED_BOOK);
            String id = proposed();
            user.post(APP + "requests/" + id + "/accept", "");
            return path.replace("{id}", id);
        }
        if (path.equals(APP + "requests/{id}/close")) {
            user.put(APP + "custodians/main", SignedIn.CLOSED_BOOK);
            String id = proposed();
            service.broker.forget(user.post(APP + "requests/" + id + "/accept", "")
                    .json()
                    .at("/execution/clientOrderId")
                    .textValue());
            return path.replace("{id}", id);
        }
        if (path.startsWith(APP + "requests/{id}")) {
            user.put(APP + "custodians/main", SignedIn.BOOK);
            return path.replace("{id}", proposed());
        }
        if (path.equals(APP + "password-reset/{token}")) {
            return path.replace("{token}", token(Purpose.PASSWORD_RESET, null));
        }
        if (path.equals(APP + "email-confirmation/{token}")) {
            return path.replace("{token}", token(Purpose.EMAIL_CONFIRMATION, newAddress()));
        }
        if (path.equals(APP + "sessions/{id}")) {
            String id =
                    owner().get(APP + "sessions").json().at("/sessions/0/id").textValue();
            return path.replace("{id}", id);
        }
        if (path.equals(APP + "custodians/{id}/connect")) {
            return path.replace("{id}", "alpaca");
        }
        return path.replace("{id}", "main").replace("{n}", "1");
    }
}
