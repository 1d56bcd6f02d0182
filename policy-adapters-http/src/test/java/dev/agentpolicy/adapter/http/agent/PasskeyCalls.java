package dev.agentpolicy.adapter.http.agent;

import static dev.agentpolicy.adapter.http.SignedIn.APP;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.SoftPasskey.Circumstances;
import java.time.Duration;
import java.util.UUID;

/** Bodies of calls about passkeys, made by an authenticator of software. The passkeys are few, since they are removed. */
public record PasskeyCalls(TestService service) {
    private static final String PASSWORD = "correct horse battery";

    /** The body that registers one more passkey. */
    public String registration(Client user) {
        removeAll(user);
        return registration(user, new SoftPasskey());
    }

    private String registration(Client user, SoftPasskey passkey) {
        String challenge = challenge(user.post(APP + "passkeys/options", "{}"));
        return "{\"name\":\"Phone\",\"password\":\"" + PASSWORD + "\",\"credential\":"
                + passkey.registrationJson(challenge, here()) + "}";
    }

    /** Registers a passkey, the only one then, and returns its id. */
    public String registered(Client user) {
        removeAll(user);
        SoftPasskey passkey = new SoftPasskey();
        register(user, passkey);
        return passkey.credentialId();
    }

    public Seen register(Client user, SoftPasskey passkey) {
        service.clock.advance(Duration.ofSeconds(1));
        return user.post(APP + "passkeys", registration(user, passkey));
    }

    /** The body that signs a user in. */
    public String signIn(Client user) {
        removeAll(user);
        SoftPasskey passkey = new SoftPasskey();
        register(user, passkey);
        String challenge = challenge(service.client().post(APP + "session/passkey/options", "{}"));
        return assertion(user, passkey, challenge);
    }

    /** The body of an assertion. */
    public String assertion(Client user, SoftPasskey passkey, String challenge) {
        return passkey.assertionJson(id(user), challenge, here());
    }

    public static String challenge(Seen options) {
        return options.json().get("challenge").textValue();
    }

    /** What a browser says that shows the console of this service. */
    public Circumstances here() {
        return new Circumstances().origin("http://localhost:" + service.server.port());
    }

    private static UserId id(Client user) {
        return new UserId(
                UUID.fromString(user.get(APP + "me").json().get("userId").textValue()));
    }

    private static void removeAll(Client user) {
        user.get(APP + "passkeys")
                .json()
                .get("passkeys")
                .forEach(passkey -> user.with("Content-Type", "application/json")
                        .sendText(
                                "DELETE",
                                APP + "passkeys/" + passkey.get("credentialId").textValue(),
                                "{\"password\":\"" + PASSWORD + "\"}"));
    }
}
