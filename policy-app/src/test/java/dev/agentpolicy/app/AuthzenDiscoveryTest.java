package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The AuthZEN metadata for each form of the base URL (cases 6-1 to 6-5 of the certification scenario). */
class AuthzenDiscoveryTest {
    private static final String WELL_KNOWN = "/.well-known/authzen-configuration";

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://policy.example.com         | https://policy.example.com        |
            https://policy.example.com/        | https://policy.example.com        |
            https://policy.example.com:8443    | https://policy.example.com:8443   |
            http://127.0.0.1:9000              | http://127.0.0.1:9000             |
            http://[::1]:9000                  | http://[::1]:9000                 |
            https://example.com/tenant1        | https://example.com/tenant1       | /tenant1
            https://example.com/tenant1/       | https://example.com/tenant1       | /tenant1
            https://example.com/a.b/c          | https://example.com/a.b/c         | /a.b/c
            https://example.com//              | https://example.com               |
            """)
    void the_metadata_begin_with_the_base_url_and_are_where_it_says(String setting, String base, String path) {
        try (ServiceNode node = start(Map.of("POLICY_BASE_URL", setting))) {
            Seen seen = node.caller().get(WELL_KNOWN);

            requireMetadata(seen, base);
            if (path != null) {
                requireMetadata(node.caller().get(WELL_KNOWN + path), base);
            }
            assertThat(node.caller().get(WELL_KNOWN + "/elsewhere").status()).isEqualTo(404);
        }
    }

    @Test
    void without_a_base_url_the_metadata_name_the_address_they_are_read_from() {
        try (ServiceNode node = start(Map.of())) {
            Seen seen = node.caller().get(WELL_KNOWN);

            requireMetadata(seen, node.running().address());
            requireMetadata(
                    new ApiCaller(node.running().address().replace("127.0.0.1", "localhost")).get(WELL_KNOWN),
                    node.running().address().replace("127.0.0.1", "localhost"));
        }
    }

    @Test
    void the_endpoints_of_the_metadata_answer() {
        try (ServiceNode node = start(Map.of())) {
            TestHousehold household = TestHousehold.withPolicy(node.caller());
            AccessCaller caller = AccessCaller.of(household, household.mint("live"));
            JsonNode metadata = node.caller().get(WELL_KNOWN).json();

            for (String name : new String[] {"access_evaluation_endpoint", "access_evaluations_endpoint"}) {
                String path = metadata.get(name)
                        .textValue()
                        .substring(node.running().address().length());
                assertThat(caller.agent()
                                .post(path, caller.json("$BUY"))
                                .ok()
                                .json()
                                .get("decision")
                                .booleanValue())
                        .isTrue();
            }
        }
    }

    @Test
    void the_metadata_are_public_and_cacheable() {
        try (ServiceNode node = start(Map.of("POLICY_BASE_URL", "https://policy.example.com"))) {
            Seen seen = node.caller().get(WELL_KNOWN);

            assertThat(seen.header("Cache-Control")).isEqualTo("public, max-age=300");
            assertThat(node.caller()
                            .with("If-None-Match", seen.header("ETag"))
                            .get(WELL_KNOWN)
                            .status())
                    .isEqualTo(304);
            assertThat(node.caller().withKey("svc_live_unknown").get(WELL_KNOWN).status())
                    .isEqualTo(200);
        }
    }

    private ServiceNode start(Map<String, String> settings) {
        return ServiceNode.start(folder, "jdbc:h2:mem:" + UUID.randomUUID(), settings);
    }

    private static void requireMetadata(Seen seen, String base) {
        assertThat(seen.status()).as(seen.text()).isEqualTo(200);
        assertThat(seen.header("Content-Type")).isEqualTo("application/json");
        JsonNode metadata = seen.json();
        assertThat(metadata.size()).isEqualTo(3);
        assertThat(metadata.get("policy_decision_point").textValue()).isEqualTo(base);
        assertThat(metadata.get("access_evaluation_endpoint").textValue()).isEqualTo(base + AccessCaller.EVALUATION);
        assertThat(metadata.get("access_evaluations_endpoint").textValue()).isEqualTo(base + AccessCaller.EVALUATIONS);
    }
}
