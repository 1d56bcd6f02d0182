package dev.agentpolicy.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.TestHousehold;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Another site that has the browser of a signed-in user change something: refused, at every endpoint that can. */
@ExtendWith(AttackedService.Shared.class)
class ForeignSiteTest {
    private static final List<Map.Entry<String, String>> FOREIGN = List.of(
            Map.entry("Origin", "http://evil.example"),
            Map.entry("Origin", "null"),
            Map.entry("Origin", ""),
            Map.entry("Origin", "http://127.0.0.1"),
            Map.entry("Origin", "https://127.0.0.1:1"),
            Map.entry("Origin", "http://127.0.0.1.evil.example"),
            Map.entry("Sec-Fetch-Site", "cross-site"),
            Map.entry("Sec-Fetch-Site", "same-site"),
            Map.entry("Sec-Fetch-Site", "anything"));

    @Test
    void changes_nothing(AttackedService target) {
        List<Endpoint> changing = Endpoint.all().stream()
                .filter(endpoint -> endpoint.isOfUsers() && endpoint.changes())
                .toList();
        String before = state(target);
        for (Endpoint endpoint : changing) {
            for (Map.Entry<String, String> header : FOREIGN) {
                Seen seen = asked(target, endpoint, header);
                assertThat(seen.status()).as("%s with %s", endpoint, header).isEqualTo(403);
                assertThat(seen.json().path("error").textValue()).isEqualTo("forbidden");
                assertThat(seen.headers().firstValue("Set-Cookie")).isEmpty();
                assertThat(seen.headers().map()).doesNotContainKey("access-control-allow-origin");
            }
        }

        assertThat(changing).hasSizeGreaterThan(10);
        assertThat(state(target)).isEqualTo(before);
    }

    @Test
    void changes_nothing_by_saying_that_it_meant_another_method(AttackedService target) {
        String before = state(target);
        ApiCaller page = target.household.user().with("Origin", "http://evil.example");

        assertThat(page.with("X-HTTP-Method-Override", "DELETE")
                        .get(TestHousehold.APP + "session")
                        .status())
                .isEqualTo(405);
        assertThat(page.with("X-HTTP-Method-Override", "POST")
                        .with("Content-Type", "application/json")
                        .send(
                                "GET",
                                TestHousehold.APP + "keys",
                                "{\"name\":\"a\",\"keyType\":\"live\",\"scopes\":[\"read\"]}")
                        .status())
                .isEqualTo(200);
        assertThat(page.with("X-HTTP-Method-Override", "GET")
                        .send("PUT", TestHousehold.APP + "ips", "{}")
                        .status())
                .isEqualTo(403);
        assertThat(state(target)).isEqualTo(before);
    }

    private static Seen asked(AttackedService target, Endpoint endpoint, Map.Entry<String, String> header) {
        ApiCaller page = target.household.user().with(header.getKey(), header.getValue());
        String path = endpoint.path().replaceAll("\\{[a-z]+}", "1");
        return endpoint.bodies().isEmpty()
                ? page.send(endpoint.method(), path, null)
                : page.with("Content-Type", "application/json")
                        .send(endpoint.method(), path, endpoint.bodies().get(0));
    }

    private static String state(AttackedService target) {
        StringBuilder state = new StringBuilder();
        for (String name : List.of("me", "ips", "portfolio", "keys", "requests")) {
            state.append(target.household.user().get(TestHousehold.APP + name).text());
        }
        return state.toString();
    }
}
