package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A person with a passkey, which the browser's virtual authenticator holds (docs/reference/passkeys.md). */
class ConsolePasskeyTest extends ConsoleBench {
    private static final String MODULE =
            "const passkeys = await import(document.querySelector('link[href*=\"lib/passkeys.js\"]').href);";
    private static final String CALL = """
            const call = async (method, path, body) => {
              const answer = await fetch('/api/app/v1' + path,
                { method, headers: { 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) });
              return { status: answer.status, body: answer.status === 204 ? null : await answer.json() };
            };""";

    @Test
    void a_person_registers_a_passkey_signs_in_with_it_and_signs_an_acceptance() {
        ConsoleHousehold household = ConsoleHousehold.at(atLocalhost());
        long request = household.agent().propose(ConsoleHousehold.BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/agents").sees("Rebalancer");
        tab.send("WebAuthn.enable", Map.of());
        tab.send(
                "WebAuthn.addVirtualAuthenticator",
                Map.of(
                        "options",
                        Map.of(
                                "protocol",
                                "ctap2",
                                "transport",
                                "internal",
                                "hasResidentKey",
                                true,
                                "hasUserVerification",
                                true,
                                "isUserVerified",
                                true,
                                "automaticPresenceSimulation",
                                true)));

        assertThat(run(tab, "return passkeys.canUsePasskeys();").asBoolean()).isTrue();
        JsonNode registered = run(tab, "return passkeys.registerPasskey('Phone');");
        assertThat(registered.get("name").asString()).isEqualTo("Phone");
        assertThat(run(tab, "return (await call('PUT', '/me/attestation', { passkeyAboveUsd: 0 })).status;")
                        .asInt())
                .isEqualTo(200);

        String accept = "'/requests/" + request + "/accept'";
        assertThat(run(tab, "return (await call('POST', " + accept + ", {})).body.error;")
                        .asString())
                .isEqualTo("passkey_required");
        assertThat(run(tab, "return (await call('DELETE', '/session'), await call('GET', '/me')).status;")
                        .asInt())
                .isEqualTo(401);
        JsonNode user = run(tab, "return passkeys.signInWithPasskey();");
        assertThat(user.get("email").asString()).isEqualTo(household.email());
        JsonNode accepted = run(
                tab,
                "return call('POST', " + accept + ", { passkey: await passkeys.signAcceptance(" + request + ") });");
        assertThat(accepted.get("status").asInt())
                .describedAs(accepted.toString())
                .isEqualTo(200);
        assertThat(accepted.at("/body/status").asString()).isEqualTo("completed");
        assertThat(run(
                                tab,
                                "return call('PUT', '/me/attestation', { passkeyAboveUsd: null, passkey: await passkeys.confirm() });")
                        .get("status")
                        .asInt())
                .isEqualTo(200);

        tab.go("/proof").sees("You signed 1 acceptance with a passkey: request " + request + ".");
        assertThat(tab.complaints()).isEmpty();
    }

    /** Browsers offer no passkeys at an address that is a number. */
    private String atLocalhost() {
        return "http://localhost:" + URI.create(service.address()).getPort();
    }

    private static JsonNode run(Tab tab, String script) {
        return tab.evaluate("(async () => { " + MODULE + CALL + script + " })()");
    }
}
