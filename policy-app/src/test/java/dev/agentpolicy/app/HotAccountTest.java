package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes on one PostgreSQL, and fourteen callers of one account who do everything at once, each at either node. Each
 * takes 60 steps, with {@code -Plong} 2000, or {@code -Dsteps=}.
 */
class HotAccountTest {
    private static final int STEPS = ExperimentSettings.times("steps", 60, 2_000);

    private final long seed = ExperimentSettings.seed(HotAccountTest.class);

    @TempDir
    Path folder;

    @Test
    void two_nodes_are_one_service_however_hot_the_account() throws Exception {
        String database = Database.POSTGRES.fresh(folder);
        try (ServiceNode one = ServiceNode.start(folder, database);
                ServiceNode other = ServiceNode.start(folder, database)) {
            List<String> nodes =
                    List.of(one.running().address(), other.running().address());
            HotAccount account = new HotAccount(nodes, STEPS);
            account.work(seed);

            ProposalClient there = account.queue().at(nodes.get(1));
            String verified = new IncrementalLog(folder.resolve("verified.json")).verifyWhole(there.agent());
            ChainPages chain = ChainPages.of(there.agent());
            List<JsonNode> decisions = chain.rows("guardrail.decision");
            everyAnswerIsInTheLog(account, chain.hashes());
            everyDecisionGoesByTheStatementOfItsPlace(chain);
            noKeyDecidesAfterItsRevocation(chain);
            capsAreExact(account, decisions);
            eachIdempotencyKeyIsOneRequest(account, decisions);
            eachRequestIsExecutedOnceOrNot(there, chain);
            assertThat(account.keys().refused()).isPositive();
            System.out.printf(
                    "%d steps, %d answers, %d calls after the end of their secret, %s%n",
                    STEPS, account.decided().size(), account.keys().refused(), verified);
        }
    }

    private static void everyAnswerIsInTheLog(HotAccount account, SortedMap<Long, String> hashes) {
        assertThat(account.decided())
                .filteredOn(seen -> !seen.header("X-Policy-Event-Seq").isEmpty())
                .hasSizeGreaterThan(STEPS)
                .allSatisfy(seen -> assertThat(hashes.get(Long.valueOf(seen.header("X-Policy-Event-Seq"))))
                        .isEqualTo(seen.header("X-Policy-Event-Hash")));
        assertThat(account.decided().stream()
                        .map(seen -> seen.header("X-Policy-Event-Seq"))
                        .filter(seq -> !seq.isEmpty()))
                .doesNotHaveDuplicates();
    }

    private static void everyDecisionGoesByTheStatementOfItsPlace(ChainPages chain) {
        int inForce = 0;
        for (JsonNode row : chain.rows()) {
            JsonNode payload = row.get("payload");
            switch (row.get("eventType").textValue()) {
                case "ips.created", "ips.amended" -> {
                    assertThat(payload.get("ipsVersion").intValue()).isEqualTo(inForce + 1);
                    inForce++;
                }
                case "guardrail.decision" ->
                    assertThat(payload.get("ipsVersion").intValue())
                            .describedAs("%s", row)
                            .isEqualTo(inForce);
                default -> {
                    // Says nothing of statements.
                }
            }
        }
        assertThat(inForce).isEqualTo(1 + STEPS);
    }

    private static void noKeyDecidesAfterItsRevocation(ChainPages chain) {
        Set<String> revoked = new HashSet<>();
        for (JsonNode row : chain.rows()) {
            String key = row.get("payload").path("agentKeyId").asText();
            if (row.get("eventType").textValue().equals("key.revoked")) {
                revoked.add(key);
            } else {
                assertThat(revoked).describedAs("%s", row).doesNotContain(key);
            }
        }
        assertThat(revoked).isNotEmpty();
    }

    private static void capsAreExact(HotAccount account, List<JsonNode> decisions) {
        Map<String, Long> allowed = decisions.stream()
                .map(row -> row.get("payload"))
                .filter(it -> it.get("kind").textValue().equals("propose")
                        && it.get("allowed").booleanValue()
                        && new BigDecimal(it.get("trade").get("amountUsd").textValue())
                                        .compareTo(HotAccount.CAPPED_AMOUNT)
                                == 0)
                .collect(Collectors.groupingBy(it -> it.get("agentKeyId").textValue(), Collectors.counting()));
        assertThat(allowed.values()).containsExactly((long) account.cap(), (long) account.cap());
        assertThat(account.beyondTheCallCap()).isEqualTo(STEPS - account.cap());
    }

    private static void eachIdempotencyKeyIsOneRequest(HotAccount account, List<JsonNode> decisions) {
        Map<String, Long> proposals = decisions.stream()
                .map(row -> row.get("payload"))
                .filter(it -> it.get("kind").textValue().equals("propose"))
                .collect(Collectors.groupingBy(
                        it -> it.get("trade").get("amountUsd").textValue(), Collectors.counting()));
        proposals.remove(HotAccount.CAPPED_AMOUNT.toPlainString());
        assertThat(proposals).hasSameSizeAs(account.requestsByKey());
        assertThat(proposals.values()).containsOnly(1L);
        assertThat(account.requestsByKey().values()).doesNotHaveDuplicates();
    }

    private static void eachRequestIsExecutedOnceOrNot(ProposalClient queue, ChainPages chain) {
        List<Long> executed = chain.rows("broker.trade_observed").stream()
                .map(row -> row.get("payload").get("serviceRequestId").longValue())
                .toList();
        List<Long> completed = queue.requests().entrySet().stream()
                .filter(it -> it.getValue().get("status").textValue().equals("completed"))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(executed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(completed);
        BigDecimal cash = chain.rows("broker.trade_observed").stream()
                .map(row -> row.get("payload"))
                .map(it -> {
                    BigDecimal amount = new BigDecimal(it.get("amountUsd").textValue());
                    return it.get("action").textValue().equals("buy") ? amount.negate() : amount;
                })
                .reduce(new BigDecimal(10_000), BigDecimal::add);
        assertThat(queue.portfolio().findValuesAsText("cash"))
                .containsExactly(cash.stripTrailingZeros().toPlainString());
    }
}
