package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentpolicy.app.NpmProject.Result;
import dev.agentpolicy.app.StandInPushService.Posted;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.connection.DocumentServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notifications to devices, by a service that pushes them to a stand-in (docs/reference/notices.md). */
class PushTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Map<String, String> SETTINGS = Map.of("POLICY_PUSH", "on");

    @TempDir
    private Path folder;

    private final SoftBrowser browser = SoftBrowser.make();

    @Test
    void a_request_is_pushed_within_two_seconds_and_the_library_of_others_opens_it() throws Exception {
        try (StandInPushService service = StandInPushService.start(DocumentServer.certificate(folder));
                ServiceNode node = new ServiceNode(QuickService.start(
                        Config.of(ServiceNode.environment(folder, "jdbc:h2:mem:pushes", SETTINGS)), service::web))) {
            ProposalClient queue = ProposalClient.of(node.caller());
            ApiCaller user = queue.household().user();
            String asked =
                    "{\"name\":\"Phone\",\"subscription\":" + browser.subscription(service.endpoint("phone")) + "}";
            JsonNode device = user.post(APP + "push", asked).ok().json();
            Posted added = service.next();
            assertThat(browser.open(added.body())).contains("A device gets notifications");

            long begun = System.nanoTime();
            long id = queue.queued("1234");
            Posted posted = service.next();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);

            JsonNode opened = opened(posted);
            assertThat(opened.at("/message/title").textValue()).isEqualTo("A request waits for you");
            assertThat(opened.at("/message/href").textValue()).isEqualTo("/requests/" + id);
            assertThat(opened.at("/message").toString()).doesNotContain("1234").doesNotContain("SPY");
            assertThat(opened.get("isSigned").booleanValue()).isTrue();
            assertThat(opened.get("isShort").booleanValue()).isTrue();
            JsonNode listed = user.get(APP + "push").ok().json();
            assertThat(opened.get("key")).isEqualTo(listed.get("key"));
            assertThat(opened.get("aud").textValue() + "/phone")
                    .isEqualTo(service.endpoint("phone").toString());
            assertThat(listed.get("devices")).containsExactly(device);
            assertThat(listed.toString()).doesNotContain("/phone");

            service.answer(410);
            queue.household().mint("live");
            service.next();
            assertThat(gone(user)).as("a device that is gone is removed").isTrue();
            assertThat(node.caller().get("/metrics").text())
                    .contains("policy_pushes_total{outcome=\"sent\"} 2.0")
                    .contains("policy_pushes_total{outcome=\"gone\"} 1.0");
        }
    }

    private static boolean gone(ApiCaller user) {
        long end = System.nanoTime() + SOON.toNanos();
        boolean isGone = false;
        while (!isGone && System.nanoTime() < end) {
            isGone = user.get(APP + "push").ok().json().get("devices").isEmpty();
        }
        return isGone;
    }

    /** What a browser sees, by the library that the npm package web-push is made with. */
    private JsonNode opened(Posted posted) throws Exception {
        NpmProject project = NpmProject.install("push", "whether browsers can open push messages");
        Path file = folder.resolve("posted.json");
        Files.writeString(
                file,
                JSON.writeValueAsString(Map.of(
                        "privateKey", browser.privateKey(),
                        "secret", browser.secret(),
                        "body", posted.body(),
                        "authorization", posted.authorization())));
        Result result = project.run(Map.of(), List.of("node", "open.js", file.toString()));
        assertThat(result.exitCode()).as(result.text()).isZero();
        return JSON.readTree(result.text());
    }

    @Test
    void a_service_that_is_not_set_up_has_no_devices() {
        try (ServiceNode node = ServiceNode.start(folder, "jdbc:h2:mem:without-pushes")) {
            ApiCaller user = TestHousehold.signUp(node.caller()).user();
            assertThat(user.get(APP + "push").status()).isEqualTo(404);
            assertThat(user.get(APP + "me").ok().json().get("push").booleanValue())
                    .isFalse();
        }
    }
}
