package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Payloads that were erased before it was noticed that the signing key is stolen (docs/verify.md, A stolen key). */
class ErasuresOfAStolenKeyTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void a_chain_with_a_payload_erased_after_the_theft_verifies_after_the_emergency_rotation(Database database)
            throws Exception {
        String url = database.fresh(folder);
        CommandLineRun run = new CommandLineRun(ServiceNode.environment(folder, url, Map.of()));
        String root = folder.resolve("root.json").toString();
        Instant theft = Instant.now().minusSeconds(60);
        TestHousehold household;
        ApiCaller agent;
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            household = TestHousehold.withPolicy(node.caller());
            agent = household.agent();
            decide(agent);
            String seq = decide(agent);
            assertThat(run.main("erase", "--user", household.userId(), "--seq", seq, "--reason", "A name"))
                    .describedAs(run.err())
                    .isZero();
        }
        assertThat(run.main("keys", "root", root)).describedAs(run.err()).isZero();
        String rootKey = run.out().substring(0, 43);

        assertThat(run.main("keys", "rotate", "--compromised", "--since", theft.toString(), "--root-key", root))
                .describedAs(run.err())
                .isZero();

        assertThat(run.out()).contains("Signed anew: 1 erasure of payloads, which a compromised key had signed.");
        try (ServiceNode node = ServiceNode.start(folder, url)) {
            ApiCaller after = agent.at(node.running().address());
            for (int i = 0;
                    i < 400 && ChainPages.of(after).rows("signing_key.rotated").isEmpty();
                    i++) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            decide(after);
            ChainPages chain = ChainPages.of(after);
            assertThat(chain.rows("signing_key.rotated")).hasSize(1);
            Path pages = Files.writeString(folder.resolve("events.json"), chain.text());
            Path manifest = Files.writeString(folder.resolve("signing-keys.json"), chain.keys());
            assertThat(Verifiers.ALL.said(List.of(pages.toString(), manifest.toString()), "--root", rootKey))
                    .isNotEmpty()
                    .allSatisfy(said -> {
                        assertThat(said.code()).describedAs(said.toString()).isEqualTo(3);
                        assertThat(said.verdict()).endsWith(", 1 erased");
                    });
        }
    }

    private static String decide(ApiCaller agent) {
        return agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "100"))
                .ok()
                .header("X-Policy-Event-Seq");
    }
}
