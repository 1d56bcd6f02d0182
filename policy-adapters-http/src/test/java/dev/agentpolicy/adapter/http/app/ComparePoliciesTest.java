package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static dev.agentpolicy.adapter.http.SignedIn.IPS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ComparePoliciesTest {
    private static final String COMPARE = APP + "ips/compare";

    private final TestService service = new TestService();
    private final Client user = new SignedIn(service).user();

    @AfterEach
    void stop() {
        service.close();
    }

    private static String document(String ips) {
        return "{\"document\":" + ips + "}";
    }

    @Test
    void aDocumentIsComparedWithThePolicyInForce() {
        user.put(APP + "ips", IPS);

        JsonNode looser = user.post(COMPARE, "{\"to\":" + document(IPS.replace("0.35", "0.4")) + "}")
                .json();

        assertThat(looser.get("relation").textValue()).isEqualTo("looser");
        assertThat(looser.get("basedOn").intValue()).isEqualTo(1);
        assertThat(looser.at("/changes/0/path").textValue()).isEqualTo("crypto.max");
        assertThat(looser.at("/changes/0/to").decimalValue()).isEqualTo("0.4");
        assertThat(looser.at("/witnesses/0/before/violations/0/rule").textValue())
                .isEqualTo("crypto_max_allocation");
        assertThat(looser.at("/witnesses/0/after/allowed").booleanValue()).isTrue();
        assertThat(user.get(APP + "ips").json().get("ipsVersion").intValue()).isEqualTo(1);
    }

    @Test
    void versionsAreComparedByTheirNumbers() {
        user.put(APP + "ips", IPS);
        user.put(APP + "ips", IPS.replace("0.35", "0.3"));

        JsonNode tighter = user.post(COMPARE, "{\"from\":{\"ipsVersion\":1},\"to\":{\"ipsVersion\":2}}")
                .json();

        assertThat(tighter.get("relation").textValue()).isEqualTo("tighter");
        assertThat(tighter.get("basedOn").intValue()).isEqualTo(2);
        assertThat(user.post(COMPARE, "{\"to\":{\"ipsVersion\":9}}").status()).isEqualTo(404);
    }

    @Test
    void bodiesWithoutAVersionOrADocumentAreRefused() {
        user.put(APP + "ips", IPS);
        for (String body : new String[] {
            "{}",
            "{\"to\":{}}",
            "{\"to\":{\"ipsVersion\":1,\"document\":" + IPS + "}}",
            "{\"to\":{\"document\":{}}}",
            "{\"to\":{\"ipsVersion\":0}}",
            "{\"to\":{\"ipsVersion\":1},\"from\":{\"document\":{\"crypto\":1}}}"
        }) {
            assertThat(user.post(COMPARE, body).status()).as(body).isEqualTo(400);
        }
    }
}
