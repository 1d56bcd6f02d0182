package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.NpmProject.Result;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.SoftPasskey.Circumstances;
import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passkeys as a browser uses them (docs/reference/passkeys.md), with an authenticator of software. */
class PasskeysOverHttpTest {
    private static final String APP = TestHousehold.APP;
    private static final String CONFIRMED = "\"password\":\"correct horse battery\"";
    private static RunningService service;

    @TempDir
    private Path folder;

    private final TestHousehold household = TestHousehold.withPolicy(new ApiCaller(service.address()));
    private final ApiCaller user = household.user();
    private final ApiCaller agent = household.agent();
    private final UserId id = new UserId(UUID.fromString(household.userId()));
    private final SoftPasskey passkey = new SoftPasskey();

    @BeforeAll
    static void start(@TempDir Path directory) {
        service = RunningService.start(directory);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void the_first_passkey_needs_the_session_only_and_every_other_one_a_confirmation() {
        assertThat(register(passkey, "").status()).isEqualTo(201);
        SoftPasskey second = new SoftPasskey(PasskeyAlgorithm.EDDSA);

        assertThat(error(register(second, ""))).isEqualTo("403 confirmation_required");
        assertThat(error(register(second, ",\"password\":\"wrong horse battery\"")))
                .isEqualTo("403 confirmation_required");
        assertThat(names()).containsExactly(passkey.credentialId());
        assertThat(register(second, "," + CONFIRMED).status()).isEqualTo(201);
        SoftPasskey third = new SoftPasskey(PasskeyAlgorithm.RS256);
        assertThat(register(third, ",\"passkey\":" + signIn(second, here())).status())
                .isEqualTo(400);
        assertThat(registerConfirmedBy(second, third).status()).isEqualTo(201);
        assertThat(names()).containsExactly(passkey.credentialId(), second.credentialId(), third.credentialId());
        assertThat(rows("key.minted").filter(row -> row.has("keyClass")))
                .extracting(row -> row.at("/publicKey/alg").textValue())
                .containsExactly("ES256", "EdDSA", "RS256");
        assertThat(user.get(APP + "me/export").ok().json().get("passkeys"))
                .isEqualTo(user.get(APP + "passkeys").ok().json().get("passkeys"));
    }

    @Test
    void a_registration_for_something_else_is_refused_and_nothing_changes() {
        String used = challenge(user.post(APP + "passkeys/options", "{}"));
        assertThat(user.post(APP + "passkeys", body(passkey.registrationJson(used, here()), ""))
                        .status())
                .isEqualTo(201);

        SoftPasskey other = new SoftPasskey();
        assertThat(error(user.post(APP + "passkeys", body(other.registrationJson(used, here()), "," + CONFIRMED))))
                .isEqualTo("400 invalid_passkey");
        for (Circumstances how : wrong()) {
            String challenge = challenge(user.post(APP + "passkeys/options", "{}"));
            assertThat(error(
                            user.post(APP + "passkeys", body(other.registrationJson(challenge, how), "," + CONFIRMED))))
                    .isEqualTo("400 invalid_passkey");
        }
        assertThat(names()).containsExactly(passkey.credentialId());
    }

    @Test
    void a_registration_that_does_not_follow_the_standard_is_refused() {
        SoftPasskey other = new SoftPasskey();
        for (String object : List.of("", "gQ", "gYGBgYGBgYGBgYGBgYGB", "o2NmbXRkbm9uZQ")) {
            assertThat(error(registered(registration().replaceAll("(attestationObject\":\")[^\"]*", "$1" + object))))
                    .isEqualTo("400 invalid_passkey");
        }
        String renamed = registration().replace(passkey.credentialId(), other.credentialId());
        assertThat(error(registered(renamed))).isEqualTo("400 invalid_passkey");
        String rawId = registration().replace("rawId\":\"" + passkey.credentialId(), "rawId\":\"AAAA");
        assertThat(error(registered(rawId))).isEqualTo("400 invalid_payload");
        assertThat(error(registered(registration().replace("public-key", "password"))))
                .isEqualTo("400 invalid_payload");
        assertThat(names()).isEmpty();
        assertThat(registered(registration()).status()).isEqualTo(201);
    }

    private String registration() {
        return passkey.registrationJson(challenge(user.post(APP + "passkeys/options", "{}")), here());
    }

    private Seen registered(String credential) {
        return user.post(APP + "passkeys", body(credential, ""));
    }

    @Test
    void a_passkey_signs_in_and_no_signature_does_so_twice() {
        register(passkey, "");
        String signed = signIn(passkey, here().counter(1));
        ApiCaller stranger = new ApiCaller(service.address());

        Seen signedIn = stranger.post(APP + "session/passkey", signed);
        assertThat(signedIn.status()).describedAs(signedIn.text()).isEqualTo(200);
        assertThat(signedIn.json().get("userId").textValue()).isEqualTo(household.userId());
        String cookie = signedIn.header("Set-Cookie");
        ApiCaller again = stranger.with("Cookie", cookie.substring(0, cookie.indexOf(';')));
        assertThat(again.get(APP + "me").ok().json().get("passkeyAboveUsd").isNull())
                .isTrue();
        assertThat(error(stranger.post(APP + "session/passkey", signed))).isEqualTo("400 invalid_passkey");
        assertThat(error(stranger.post(APP + "session/passkey", signIn(passkey, here().counter(1)))))
                .isEqualTo("400 invalid_passkey");
        assertThat(error(stranger.post(APP + "session/passkey", signIn(new SoftPasskey(), here()))))
                .isEqualTo("400 invalid_passkey");
        for (Circumstances how : wrong()) {
            assertThat(error(stranger.post(APP + "session/passkey", signIn(passkey, how.counter(9)))))
                    .isEqualTo("400 invalid_passkey");
        }
        assertThat(stranger.post(APP + "session/passkey", signIn(passkey, here().counter(2)))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void no_passkey_signs_in_to_an_account_that_was_deleted() {
        register(passkey, "");
        assertThat(delete(APP + "me", "{" + CONFIRMED + "}").status()).isEqualTo(204);
        ApiCaller stranger = new ApiCaller(service.address());
        String challenge = challenge(stranger.post(APP + "session/passkey/options", "{}"));

        assertThat(error(stranger.post(APP + "session/passkey", passkey.assertionJson(id, challenge, here()))))
                .isEqualTo("400 invalid_passkey");
    }

    @Test
    void a_passkey_deletes_the_account_and_a_signature_for_something_else_does_not() {
        register(passkey, "");
        assertThat(error(delete(APP + "me", "{}"))).isEqualTo("400 invalid_payload");
        assertThat(error(delete(APP + "me", "{\"confirmation\":{\"password\":\"wrong horse battery\"}}")))
                .isEqualTo("403 wrong_password");
        String other = confirm("DELETE", "passkeys/" + passkey.credentialId(), "{}", here());
        assertThat(error(delete(APP + "me", "{\"passkey\":" + other + "}"))).isEqualTo("400 invalid_passkey");

        String signed = confirm("DELETE", "me", "{}", here());
        assertThat(delete(APP + "me", "{\"confirmation\":{\"passkey\":" + signed + "}}")
                        .status())
                .isEqualTo(204);
        assertThat(user.get(APP + "me").status()).isEqualTo(401);
    }

    @Test
    void removing_a_passkey_and_demanding_fewer_signatures_needs_a_confirmation() {
        register(passkey, "");
        assertThat(attestation("{\"passkeyAboveUsd\":1000}").status()).isEqualTo(200);
        assertThat(attestation("{\"passkeyAboveUsd\":0}")
                        .json()
                        .get("passkeyAboveUsd")
                        .intValue())
                .isZero();
        assertThat(error(attestation("{\"passkeyAboveUsd\":1}"))).isEqualTo("403 confirmation_required");
        assertThat(error(attestation("{\"passkeyAboveUsd\":null}"))).isEqualTo("403 confirmation_required");
        assertThat(error(attestation("{}"))).isEqualTo("400 invalid_payload");
        assertThat(error(attestation("{\"passkeyAboveUsd\":-1}"))).isEqualTo("400 invalid_payload");
        assertThat(error(attestation("{\"passkeyAboveUsd\":null,\"passkey\":"
                        + confirm("PUT", "me/attestation", "{\"passkeyAboveUsd\":null}", here().unverified()) + "}")))
                .isEqualTo("400 invalid_passkey");
        assertThat(user.get(APP + "me").ok().json().get("passkeyAboveUsd").intValue())
                .isZero();
        assertThat(attestation("{\"passkeyAboveUsd\":null,\"passkey\":"
                                + confirm("PUT", "me/attestation", "{\"passkeyAboveUsd\":null}", here()) + "}")
                        .json()
                        .get("passkeyAboveUsd")
                        .isNull())
                .isTrue();

        String path = APP + "passkeys/" + passkey.credentialId();
        assertThat(error(delete(path, "{}"))).isEqualTo("403 confirmation_required");
        assertThat(delete(path, "{" + CONFIRMED + "}").status()).isEqualTo(204);
        assertThat(names()).isEmpty();
        assertThat(rows("key.revoked"))
                .extracting(row -> row.get("credentialId").textValue())
                .containsExactly(passkey.credentialId());
    }

    @Test
    void a_challenge_of_sign_in_that_anyone_can_fetch_confirms_nothing() {
        register(passkey, "");
        attestation("{\"passkeyAboveUsd\":0}").ok();
        String path = APP + "passkeys/" + passkey.credentialId();

        assertThat(error(delete(path, "{\"passkey\":" + signIn(passkey, here()) + "}")))
                .isEqualTo("400 invalid_passkey");
        assertThat(error(attestation("{\"passkeyAboveUsd\":null,\"passkey\":" + signIn(passkey, here()) + "}")))
                .isEqualTo("400 invalid_passkey");
        assertThat(error(user.post(
                        APP + "portfolio/peak", "{\"confirmation\":{\"passkey\":" + signIn(passkey, here()) + "}}")))
                .isEqualTo("400 invalid_passkey");
        assertThat(names()).containsExactly(passkey.credentialId());
    }

    @Test
    void a_stolen_session_without_a_passkey_cannot_make_an_account_that_accepts_nothing() {
        assertThat(error(attestation("{\"passkeyAboveUsd\":0}"))).isEqualTo("403 confirmation_required");
        assertThat(error(attestation("{\"passkeyAboveUsd\":0,\"password\":\"wrong horse battery\"}")))
                .isEqualTo("403 confirmation_required");

        assertThat(user.post(APP + "requests/" + proposed("51") + "/accept", "{}")
                        .status())
                .isEqualTo(200);
        assertThat(attestation("{\"passkeyAboveUsd\":0,\"confirmation\":{" + CONFIRMED + "}}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_signature_confirms_one_call_once_whatever_the_order_and_form_of_its_members() {
        register(passkey, "");
        attestation("{\"passkeyAboveUsd\":1.50}").ok();
        String signed = confirm("PUT", "me/attestation", "{\"passkeyAboveUsd\":2e1}", here());
        assertThat(error(attestation("{\"passkeyAboveUsd\":21,\"passkey\":" + signed + "}")))
                .isEqualTo("400 invalid_passkey");
        String used = confirm("PUT", "me/attestation", "{\"passkeyAboveUsd\":2e1}", here());
        String once = "{\"confirmation\":{\"passkey\":" + used + "},\"passkeyAboveUsd\":20.0}";
        assertThat(attestation(once).status()).isEqualTo(200);
        assertThat(error(attestation(once))).isEqualTo("400 invalid_passkey");

        assertThat(error(delete(
                        APP + "passkeys/" + passkey.credentialId(),
                        "{\"passkey\":" + confirm("DELETE", "passkeys/AAAA", "{}", here()) + "}")))
                .isEqualTo("400 invalid_passkey");
        assertThat(delete(
                                APP + "passkeys/" + passkey.credentialId(),
                                "{\"passkey\":" + confirm("DELETE", "passkeys/" + passkey.credentialId(), null, here())
                                        + "}")
                        .status())
                .isEqualTo(204);
    }

    @Test
    void what_cannot_be_confirmed_is_refused_and_so_is_a_confirmation_of_two_forms() {
        assertThat(error(user.post(APP + "confirmations", "{\"method\":\"POST\",\"path\":\"/passkeys\"}")))
                .isEqualTo("404 not_found");
        register(passkey, "");
        for (String body : List.of(
                "{}",
                "{\"method\":\"GET\",\"path\":\"/passkeys\"}",
                "{\"method\":\"POST\",\"path\":\"passkeys\"}",
                "{\"method\":\"POST\",\"path\":\"/passkeys\",\"body\":[]}",
                "{\"method\":\"POST\",\"path\":\"/passkeys\",\"more\":1}")) {
            assertThat(error(user.post(APP + "confirmations", body))).isEqualTo("400 invalid_payload");
        }
        attestation("{\"passkeyAboveUsd\":1}").ok();
        for (String twice : List.of(
                CONFIRMED + ",\"confirmation\":{" + CONFIRMED + "}",
                CONFIRMED + ",\"passkey\":" + signIn(passkey, here()),
                "\"confirmation\":{" + CONFIRMED + ",\"passkey\":" + signIn(passkey, here()) + "}")) {
            assertThat(error(attestation("{\"passkeyAboveUsd\":2," + twice + "}")))
                    .isEqualTo("400 invalid_payload");
        }
    }

    /** An assertion for a call; without a body for null. */
    private String confirm(String method, String path, @Nullable String body, Circumstances how) {
        String challenge = challenge(user.post(
                APP + "confirmations",
                "{\"method\":\"" + method + "\",\"path\":\"/" + path + "\"" + (body == null ? "" : ",\"body\":" + body)
                        + "}"));
        return passkey.assertionJson(id, challenge, how);
    }

    /** Registers a passkey with the signature of another one. */
    private Seen registerConfirmedBy(SoftPasskey signer, SoftPasskey one) {
        String challenge = challenge(user.post(APP + "passkeys/options", "{}"));
        String body = body(one.registrationJson(challenge, here()), "");
        String confirming = challenge(user.post(
                APP + "confirmations", "{\"method\":\"POST\",\"path\":\"" + APP + "passkeys\",\"body\":" + body + "}"));
        String signed = ",\"confirmation\":{\"passkey\":" + signer.assertionJson(id, confirming, here()) + "}}";
        return user.post(APP + "passkeys", body.substring(0, body.length() - 1) + signed);
    }

    @Test
    void an_acceptance_that_must_be_signed_is_refused_without_a_passkey() {
        register(passkey, "");
        attestation("{\"passkeyAboveUsd\":50}");
        long small = proposed("50");
        long large = proposed("51");

        assertThat(user.post(APP + "requests/" + small + "/accept", "{}").status())
                .isEqualTo(200);
        assertThat(error(user.post(APP + "requests/" + large + "/accept", "{}")))
                .isEqualTo("403 passkey_required");
        assertThat(status(large)).isEqualTo("pending");
        assertThat(accept(large, signed(large, passkey, here()))
                        .json()
                        .get("status")
                        .textValue())
                .isEqualTo("completed");
    }

    @Test
    void many_small_acceptances_need_a_passkey_and_signed_ones_do_not_count() {
        register(passkey, "");
        attestation("{\"passkeyAboveUsd\":100}").ok();
        for (int i = 0; i < 2; i++) {
            long large = proposed("200");
            assertThat(accept(large, signed(large, passkey, here())).status()).isEqualTo(200);
            assertThat(user.post(APP + "requests/" + proposed("50") + "/accept", "{}")
                            .status())
                    .isEqualTo(200);
        }

        assertThat(error(user.post(APP + "requests/" + proposed("1") + "/accept", "{}")))
                .isEqualTo("403 passkey_required");
    }

    @Test
    void a_signature_for_something_else_is_refused_and_nothing_changes() {
        register(passkey, "");
        long first = proposed("100");
        long second = proposed("200");
        long events = rows("guardrail.decision").count();

        assertThat(error(accept(first, signed(second, passkey, here())))).isEqualTo("400 invalid_passkey");
        assertThat(error(accept(first, signIn(passkey, here())))).isEqualTo("400 invalid_passkey");
        assertThat(error(accept(first, signed(first, new SoftPasskey(), here()))))
                .isEqualTo("400 invalid_passkey");
        Circumstances asIfOf = here().credentialId(passkey.credentialId());
        assertThat(error(accept(first, signed(first, new SoftPasskey(), asIfOf))))
                .isEqualTo("400 invalid_passkey");
        for (Circumstances how : wrong()) {
            assertThat(error(accept(first, signed(first, passkey, how)))).isEqualTo("400 invalid_passkey");
        }
        assertThat(status(first)).isEqualTo("pending");
        assertThat(rows("guardrail.decision").count()).isEqualTo(events);
        String good = signed(first, passkey, here());
        assertThat(accept(first, good).status()).isEqualTo(200);
        assertThat(error(accept(second, good))).isEqualTo("400 invalid_passkey");
        assertThat(error(accept(first, good))).isEqualTo("409 already_resolved");
    }

    @Test
    void a_signature_is_good_only_while_policy_and_holdings_stand() {
        register(passkey, "");
        long request = proposed("100");
        String before = signed(request, passkey, here());
        user.put(APP + "ips", TestHousehold.demo("ips.json").replaceFirst("\"tier\" *: *[0-9]", "\"tier\":5"))
                .ok();
        assertThat(error(accept(request, before))).isEqualTo("409 changed");

        String later = signed(request, passkey, here());
        user.put(APP + "custodians/other", "{\"name\":\"Other\",\"kind\":\"paper\",\"cash\":\"10\",\"positions\":[]}")
                .ok();
        assertThat(error(accept(request, later))).isEqualTo("409 changed");
        assertThat(status(request)).isEqualTo("pending");
        assertThat(accept(request, signed(request, passkey, here())).status()).isEqualTo(200);
    }

    @Test
    void signed_acceptances_are_checked_from_the_chain_alone_by_every_verifier_and_by_another_library()
            throws Exception {
        SoftPasskey edwards = new SoftPasskey(PasskeyAlgorithm.EDDSA);
        SoftPasskey rsa = new SoftPasskey(PasskeyAlgorithm.RS256);
        register(passkey, "");
        register(edwards, "," + CONFIRMED);
        register(rsa, "," + CONFIRMED);
        List<Long> requests = Stream.of(passkey, edwards, rsa)
                .map(each -> {
                    long request = proposed("10");
                    assertThat(accept(request, signed(request, each, here())).status())
                            .isEqualTo(200);
                    return request;
                })
                .toList();
        user.post(APP + "requests/" + proposed("10") + "/accept", "{}").ok();

        String signed = ", signed by passkey: " + requests.get(0) + ", " + requests.get(1) + ", " + requests.get(2);
        assertThat(ChainPages.of(agent).verdicts(folder)).allMatch(verdict -> verdict.endsWith(signed));
        NpmProject client = NpmProject.install("node/passkeys", "acceptances with another library for passkeys");
        Path events = Files.writeString(
                folder.resolve("page.json"),
                agent.get(TestHousehold.API + "policy/events?limit=500").ok().text());
        Result result = client.run(
                Map.of("EVENTS", events.toAbsolutePath().toString(), "ORIGIN", origin()),
                List.of("npm", "--silent", "start"));
        assertThat(result.exitCode()).describedAs(result.text()).isZero();
        assertThat(result.text().lines())
                .containsExactly(
                        "signed " + requests.get(0) + " ES256",
                        "signed " + requests.get(1) + " EdDSA",
                        "signed " + requests.get(2) + " RS256");
    }

    @Test
    void requests_that_are_accepted_together_are_signed_once_and_every_verifier_checks_the_signature_of_each()
            throws Exception {
        register(passkey, "");
        attestation("{\"passkeyAboveUsd\":15}");
        long first = proposed("10");
        long second = proposed("10");
        String ids = "{\"ids\":[" + first + "," + second + "]";
        JsonNode now = user.get(APP + "requests/" + first).ok().json().get("now");
        String shown = ids + ",\"shown\":{\"ipsVersion\":" + now.get("ipsVersion") + ",\"portfolioRevision\":"
                + now.get("portfolioRevision") + "}";
        assertThat(error(user.post(APP + "requests/accept", shown + "}"))).isEqualTo("403 passkey_required");

        String challenge = challenge(user.post(APP + "requests/passkey-options", ids + "}"));
        String assertion = passkey.assertionJson(id, challenge, here());
        JsonNode accepted = user.post(APP + "requests/accept", shown + ",\"passkey\":" + assertion + "}")
                .ok()
                .json();

        assertThat(accepted.findValuesAsText("status")).contains("completed").doesNotContain("pending");
        String signed = ", signed by passkey: " + first + ", " + second;
        assertThat(ChainPages.of(agent).verdicts(folder)).allMatch(verdict -> verdict.endsWith(signed));
    }

    private static String origin() {
        return "http://localhost:" + URI.create(service.address()).getPort();
    }

    private static Circumstances here() {
        return new Circumstances().origin(origin());
    }

    private static List<Circumstances> wrong() {
        return List.of(
                here().origin("http://localhost:1"),
                here().origin(service.address().replace("localhost", "127.0.0.1")),
                here().rpId("127.0.0.1"),
                here().crossOrigin(),
                here().unverified());
    }

    private Seen register(SoftPasskey one, String more) {
        String challenge = challenge(user.post(APP + "passkeys/options", "{}"));
        return user.post(APP + "passkeys", body(one.registrationJson(challenge, here()), more));
    }

    private static String body(String credential, String more) {
        return "{\"name\":\"Phone\",\"credential\":" + credential + more + "}";
    }

    private String signIn(SoftPasskey one, Circumstances how) {
        return one.assertionJson(id, challenge(user.post(APP + "session/passkey/options", "{}")), how);
    }

    private String signed(long request, SoftPasskey one, Circumstances how) {
        String challenge = challenge(user.post(APP + "requests/" + request + "/passkey-options", "{}"));
        return one.assertionJson(id, challenge, how);
    }

    private Seen accept(long request, String assertion) {
        return user.post(APP + "requests/" + request + "/accept", "{\"passkey\":" + assertion + "}");
    }

    private long proposed(String amount) {
        return agent.post(TestHousehold.API + "trades/propose", TestHousehold.trade("buy", "SPY", "tradfi", amount))
                .ok()
                .json()
                .get("serviceRequestId")
                .longValue();
    }

    private String status(long request) {
        return user.get(APP + "requests/" + request).ok().json().get("status").textValue();
    }

    private Seen attestation(String body) {
        return user.put(APP + "me/attestation", body);
    }

    private Seen delete(String path, String body) {
        return user.with("Content-Type", "application/json").send("DELETE", path, body);
    }

    private List<String> names() {
        return user.get(APP + "passkeys").ok().json().findValuesAsText("credentialId");
    }

    private Stream<JsonNode> rows(String kind) {
        return ChainPages.of(agent).rows(kind).stream().map(row -> row.get("payload"));
    }

    private static String challenge(Seen options) {
        return options.ok().json().get("challenge").textValue();
    }

    private static String error(Seen seen) {
        return seen.status() + " "
                + (seen.status() / 100 == 2 ? "" : seen.json().get("error").textValue());
    }
}
