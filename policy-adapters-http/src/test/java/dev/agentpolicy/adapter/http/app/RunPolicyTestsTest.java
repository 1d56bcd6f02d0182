package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static dev.agentpolicy.adapter.http.SignedIn.IPS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.agent.DescribedCalls;
import dev.agentpolicy.adapter.http.wire.TestService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunPolicyTestsTest {
    private static final String TESTS = APP + "ips/tests";
    private static final String RUN = TESTS + "/run";
    private static final String LOOSER = IPS.replace("0.35", "0.4");

    private final TestService service = new TestService();
    private final Client user = new SignedIn(service).user();

    @AfterEach
    void stop() {
        service.close();
    }

    private static String tests(String... tests) {
        return "{\"tests\":[" + String.join(",", tests) + "]}";
    }

    /** A witness of a comparison as a test of the policy before. */
    private String witness() {
        JsonNode witness = user.post(APP + "ips/compare", "{\"to\":{\"document\":" + LOOSER + "}}")
                .json()
                .at("/witnesses/0");
        return "{\"name\":\"Not too much crypto\",\"portfolio\":" + witness.get("portfolio") + ",\"trade\":"
                + witness.get("trade") + ",\"at\":" + witness.get("at")
                + ",\"expect\":{\"allowed\":false,\"rules\":[\"crypto_max_allocation\"]}}";
    }

    @Test
    void aWitnessOfAComparisonCanBeKeptAsATest() {
        user.put(APP + "ips", IPS);
        assertThat(user.get(TESTS).json().get("tests")).isEmpty();

        JsonNode stored = user.put(TESTS, tests(witness())).json();
        assertThat(user.get(TESTS).json()).isEqualTo(stored);
        assertThat(user.put(TESTS, stored.toString()).json()).isEqualTo(stored);

        JsonNode inForce = user.post(RUN, "{}").json();
        assertThat(inForce.get("passed").intValue()).isEqualTo(1);
        assertThat(inForce.get("failed").intValue()).isZero();
        assertThat(inForce.get("basedOn").intValue()).isEqualTo(1);
        JsonNode draft = user.post(RUN, "{\"document\":" + LOOSER + "}").json();
        assertThat(draft.get("failed").intValue()).isEqualTo(1);
        assertThat(draft.at("/results/0/unmet").toString()).isEqualTo("[\"allowed\",\"rules\"]");
        assertThat(draft.at("/results/0/decision/allowed").booleanValue()).isTrue();
    }

    @Test
    void aPolicyThatFailsItsTestsIsNotStoredUnlessTheyAreIgnored() {
        user.put(APP + "ips", IPS);
        user.put(TESTS, tests(witness()));

        Client.Seen refused = user.put(APP + "ips", LOOSER);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("error").textValue()).isEqualTo("tests_failed");
        assertThat(refused.json().get("message").textValue())
                .isEqualTo("The policy fails 1 test of yours, beginning with: Not too much crypto");
        assertThat(refused.json().at("/results/0/name").textValue()).isEqualTo("Not too much crypto");
        assertThat(user.get(APP + "ips").json().get("ipsVersion").intValue()).isEqualTo(1);
        assertThat(user.put(APP + "ips", LOOSER.replaceFirst("\\{", "{\"ignoreTests\":false,"))
                        .status())
                .isEqualTo(409);
        assertThat(user.put(APP + "ips", LOOSER.replaceFirst("\\{", "{\"ignoreTests\":true,"))
                        .json()
                        .get("ipsVersion")
                        .intValue())
                .isEqualTo(2);
        assertThat(user.put(APP + "ips", IPS).status()).isEqualTo(200);
        assertThat(user.put(APP + "ips", IPS.replaceFirst("\\{", "{\"ignoreTests\":1,"))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void withoutAPolicyThereIsNothingToRunTheTestsOn() {
        assertThat(user.post(RUN, "{}").json().get("error").textValue()).isEqualTo("no_ips");
        assertThat(user.post(RUN, "{\"document\":" + IPS + "}")
                        .json()
                        .get("basedOn")
                        .isNull())
                .isTrue();
        assertThat(user.post(RUN, "{\"document\":{}}").status()).isEqualTo(400);
    }

    @Test
    void testsAreOfOneUser() {
        user.put(APP + "ips", IPS);
        user.put(TESTS, tests(witness()));

        assertThat(new DescribedCalls(service).newcomer().get(TESTS).json().get("tests"))
                .isEmpty();
    }
}
