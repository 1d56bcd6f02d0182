package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.tlog.Witness;
import dev.agentpolicy.app.tlog.WitnessStandIn;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running service whose log is watched by our own witness and by one written from the specification. */
class WitnessCommandTest {
    private static final String TRADE = TestHousehold.trade("buy", "SPY", "tradfi", "1");

    @TempDir
    private Path folder;

    @Test
    void a_log_is_cosigned_by_both_witnesses_and_its_proof_says_so() throws Exception {
        String url = Database.H2.fresh(folder);
        TestHousehold household;
        JsonNode minted;
        String log;
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            household = TestHousehold.withPolicy(node.caller());
            minted = household.mint("live");
            FollowedLog followed =
                    new FollowedLog(node.running().address(), minted.get("key").textValue());
            followed.await(1);
            log = household
                    .user()
                    .get(TestHousehold.APP + "log")
                    .ok()
                    .json()
                    .get("verifierKey")
                    .textValue();
        }
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        List<VerifierKey> watched = List.of(VerifierKey.read(log).orElseThrow());
        Witness own = new Witness(folder.resolve("witness"), "alice.example/witness", watched, Clock.systemUTC());
        try (WitnessStandIn standIn = new WitnessStandIn(log);
                WitnessCommand.Listening listening = WitnessCommand.Listening.open(any, own)) {
            Path policy = Files.writeString(
                    folder.resolve("witnesses.policy"),
                    standIn.policyLine("bob") + "witness alice " + listening.key() + " " + listening.url()
                            + "\ngroup both all alice bob\nquorum both\n");
            try (ServiceNode node = ServiceNode.start(folder, url, Map.of("POLICY_TLOG_POLICY", policy.toString()))) {
                ApiCaller agent = new ApiCaller(node.running().address())
                        .withKey(minted.get("key").textValue());
                agent.post(TestHousehold.API + "policy/validate", TRADE).ok();
                long seq = agent.get(TestHousehold.API + "policy/events?order=desc&limit=1")
                        .ok()
                        .json()
                        .at("/events/0/seq")
                        .longValue();
                String proof = cosigned(agent, seq);
                assertThat(node.caller().get("/metrics").text())
                        .contains("policy_tlog_cosignatures 2.0")
                        .contains("policy_tlog_witness_errors_total 0.0");
                JsonNode status = household
                        .user()
                        .at(node.running().address())
                        .get(TestHousehold.APP + "log")
                        .ok()
                        .json();
                assertThat(status.get("witnesses").toString())
                        .isEqualTo("{\"known\":2,\"cosigning\":2,\"noQuorumSince\":null,\"missing\":[]}");
                assertThat(status.get("stopped").isNull()).isTrue();
                assertVerified(agent, proof, policy);
                assertFollowed(node, household, minted.get("key").textValue());
            }
            assertThat(standIn.statuses).contains(200).doesNotContain(400, 403, 404, 422);
        }
    }

    private void assertVerified(ApiCaller agent, String proof, Path policy) throws Exception {
        Path events = Files.writeString(
                folder.resolve("events.json"),
                agent.get(TestHousehold.API + "policy/events?order=asc&limit=500")
                        .ok()
                        .text());
        Path keys = Files.writeString(
                folder.resolve("keys.json"),
                agent.get(TestHousehold.API + "signing-keys").ok().text());
        Path file = Files.writeString(folder.resolve("row.tlog-proof"), proof);
        assertThat(Verifiers.FAST.said(
                        List.of(events.toString(), keys.toString()),
                        "--tlog-proof",
                        file.toString(),
                        "--policy",
                        policy.toString()))
                .allSatisfy(said -> assertThat(said.verdict()).contains(", witnessed by 2 of 2"));
    }

    private void assertFollowed(ServiceNode node, TestHousehold household, String key) throws Exception {
        Path file = Files.writeString(
                folder.resolve("log.json"),
                household
                        .user()
                        .at(node.running().address())
                        .get(TestHousehold.APP + "log")
                        .ok()
                        .text());
        for (int i = 0; i < 2; i++) {
            CommandLineRun run = new CommandLineRun(Map.of("KEY", key));
            int code = run.main(
                    "verify", "--url", node.running().address(), "--api-key-env", "KEY", "--tlog", file.toString());
            assertThat(code).as(run.out() + run.err()).isZero();
            assertThat(run.out()).contains(" entries followed, ");
        }
        assertThat(folder.resolve("log.json.checkpoint")).exists();
    }

    private static String cosigned(ApiCaller agent, long seq) throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            ApiCaller.Seen proof = agent.get(TestHousehold.API + "policy/events/" + seq + "/proof");
            if (proof.status() == 200 && proof.text().split("\n\u2014 ").length == 4) {
                return proof.text();
            }
            Thread.sleep(100);
        }
        throw new AssertionError("Row " + seq + " is not witnessed.");
    }
}
