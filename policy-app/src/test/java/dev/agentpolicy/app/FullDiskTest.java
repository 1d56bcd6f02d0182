package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.jdbc.SmallDisk;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process of its own whose H2 file lies on a real disk that fills up. */
class FullDiskTest {
    private static final long MEGABYTE = 1024 * 1024;
    private static final int DISK_MEGABYTES = 64;
    private static final int MIN_FREE_MEGABYTES = 16;
    private static final String TRADE = TestHousehold.trade("buy", "SPY", "tradfi", "100");
    private static final String ONCE = "Idempotency-Key";
    private static final int MAX_CALLS = 20_000;
    private static final int TRIES = 200;
    private static final long PAUSE_MILLIS = 50;

    @TempDir
    Path folder;

    @Test
    void an_agent_cannot_fill_the_disk_and_its_owner_can_still_attest_revoke_and_amend() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_MEGABYTES);
                ServiceProcess process = start(disk, MIN_FREE_MEGABYTES)) {
            TestHousehold home = TestHousehold.withPolicy(new ApiCaller(process.address()));
            JsonNode minted = home.mint("live");
            ApiCaller agent = home.agent(minted);
            long request =
                    propose(agent, "first").ok().json().get("serviceRequestId").longValue();
            long other =
                    propose(agent, "second").ok().json().get("serviceRequestId").longValue();
            assertThat(metric(agent, "policy_decisions_stopped{reason=\"disk\"}"))
                    .isEqualTo("0.0");

            disk.fillUpTo((MIN_FREE_MEGABYTES - 2) * MEGABYTE);
            Seen refused = await(() -> validate(agent), seen -> seen.status() == 503);

            assertThat(refused.json().get("error").textValue()).isEqualTo("unavailable");
            assertThat(refused.header("Retry-After")).isEqualTo("5");
            assertThat(refused.text()).doesNotContain("disk");
            assertThat(propose(agent, "third").status()).isEqualTo(503);
            assertThat(agent.post(API + "policy/validate-batch", "{\"trades\":[" + TRADE + "]}")
                            .status())
                    .isEqualTo(503);
            assertThat(metric(agent, "policy_decisions_stopped{reason=\"disk\"}"))
                    .isEqualTo("1.0");
            assertThat(metric(agent, "policy_writes_stopped")).isEqualTo("0.0");
            assertThat(process.err())
                    .containsOnlyOnce("agents' decisions stop")
                    .doesNotContain("could not be answered");
            agent.get(API + "mandate").ok();
            agent.get(API + "audit").ok();
            agent.get(API + "policy/events").ok();
            assertThat(home.user()
                            .post(APP + "requests/" + request + "/accept", "{}")
                            .ok()
                            .json()
                            .get("status")
                            .textValue())
                    .isEqualTo("completed");
            home.user().post(APP + "requests/" + other + "/reject", "{}").ok();
            home.user().put(APP + "ips", TestHousehold.demo("ips.json")).ok();
            String spare = home.mint("live").get("agentKeyId").textValue();
            home.user().delete(APP + "keys/" + spare).ok();

            disk.makeRoom();
            await(() -> validate(agent), seen -> seen.status() == 200);
            assertThat(process.err()).containsOnlyOnce("agents' decisions go on");
            assertThat(metric(agent, "policy_decisions_stopped{reason=\"disk\"}"))
                    .isEqualTo("0.0");
        }
    }

    @Test
    void below_a_quarter_of_the_minimum_the_service_only_reads_until_there_is_room() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_MEGABYTES);
                ServiceProcess process = start(disk, MIN_FREE_MEGABYTES)) {
            TestHousehold home = TestHousehold.withPolicy(new ApiCaller(process.address()));
            ApiCaller agent = home.agent();
            String ips = TestHousehold.demo("ips.json");
            validate(agent).ok();

            disk.fillUpTo(MEGABYTE);
            await(() -> home.user().put(APP + "ips", ips), seen -> seen.status() == 503);

            assertThat(validate(agent).status()).isEqualTo(503);
            agent.get(API + "mandate").ok();
            agent.get(API + "policy/events").ok();
            home.user().get(APP + "requests").ok();
            home.user().get(APP + "me").ok();
            home.user().get("/health/ready").ok();
            assertThat(metric(agent, "policy_writes_stopped")).isEqualTo("1.0");

            disk.makeRoom();
            await(() -> home.user().put(APP + "ips", ips), seen -> seen.status() == 200);
            await(() -> validate(agent), seen -> seen.status() == 200);
        }
    }

    @Test
    void a_disk_that_is_full_all_at_once_loses_nothing_and_the_same_process_goes_on_when_there_is_room()
            throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), DISK_MEGABYTES);
                ServiceProcess process = start(disk, 0)) {
            TestHousehold home = TestHousehold.withPolicy(new ApiCaller(process.address()));
            ApiCaller agent = home.agent();
            List<String> acknowledged = new ArrayList<>();
            acknowledged.add(hash(validate(agent).ok()));

            disk.fillUpTo(MEGABYTE / 2);
            Seen refused = validate(agent);
            for (int i = 0; i < MAX_CALLS && refused.status() == 200; i++) {
                acknowledged.add(hash(refused));
                refused = validate(agent);
            }
            assertThat(refused.status()).isEqualTo(503);
            disk.makeRoom();
            acknowledged.add(hash(await(() -> validate(agent), seen -> seen.status() == 200)));

            assertThat(process.isAlive()).isTrue();
            assertThat(hashes(agent)).containsAll(acknowledged);
            new IncrementalLog(folder.resolve("verified.json")).verifyWhole(agent);
            home.user().get("/health/ready").ok();
        }
    }

    private ServiceProcess start(SmallDisk disk, int minFreeMegabytes) throws Exception {
        String url = Database.H2.fresh(disk.root());
        Map<String, String> settings = Map.of("POLICY_MIN_FREE_MB", String.valueOf(minFreeMegabytes));
        return ServiceProcess.start(folder, ServiceNode.environment(folder, url, settings));
    }

    private static Seen validate(ApiCaller agent) {
        return agent.post(API + "policy/validate", TRADE);
    }

    private static Seen propose(ApiCaller agent, String once) {
        return agent.with(ONCE, once).post(API + "trades/propose", TRADE);
    }

    private static String hash(Seen decided) {
        return decided.header("X-Policy-Event-Hash");
    }

    private static List<String> hashes(ApiCaller agent) {
        List<String> hashes = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page =
                    agent.get(API + "policy/events?limit=100" + cursor).ok().json();
            page.get("events").forEach(row -> hashes.add(row.get("hash").textValue()));
            JsonNode next = page.get("nextCursor");
            cursor = next.isNull() ? "" : "&cursor=" + next.textValue();
        } while (!cursor.isEmpty());
        return hashes;
    }

    private static String metric(ApiCaller anyone, String name) {
        return anyone.get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    private static Seen await(Supplier<Seen> call, Predicate<Seen> isMeant) throws InterruptedException {
        Seen seen = call.get();
        for (int i = 0; i < TRIES && !isMeant.test(seen); i++) {
            Thread.sleep(PAUSE_MILLIS);
            seen = call.get();
        }
        assertThat(isMeant.test(seen)).as(seen.status() + " " + seen.text()).isTrue();
        return seen;
    }
}
