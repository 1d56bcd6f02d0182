package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RowJson;
import dev.agentpolicy.domain.event.chain.RowJson.RowText;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.EventSigner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stolen signing key is replaced while two nodes run (docs/verify.md, A stolen key). */
class StolenKeyTest {
    private static final Instant SINCE = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private static final String SALT = "AAAAAAAAAAAAAAAAAAAAAA";

    private static Path folder;
    private static ServiceNode one;
    private static ServiceNode other;
    private static ApiCaller busy;
    private static ApiCaller idle;
    private static EventSigner thief;
    private static String newKey;
    private static String rootKey;

    @BeforeAll
    static void steal(@TempDir Path emptyFolder) throws Exception {
        folder = emptyFolder;
        String url = Database.POSTGRES.fresh(folder);
        Map<String, String> environment = ServiceNode.environment(folder, url, Map.of());
        one = ServiceNode.start(folder, url);
        other = ServiceNode.start(folder, url);
        busy = TestHousehold.withPolicy(one.caller()).agent();
        idle = TestHousehold.withPolicy(other.caller()).agent();
        decide(busy, 3);
        decide(idle, 2);
        Config config = Config.of(environment);
        try (JdbcStore store = Wiring.open(config)) {
            thief = KeyRing.open(config.masterKeyFile(), store.sealedKeys(), Clock.systemUTC())
                    .signer(Purpose.EVENT)
                    .current();
        }
        CommandLineRun run = new CommandLineRun(environment);
        String root = folder.resolve("root.json").toString();
        assertThat(run.main("keys", "root", root)).describedAs(run.err()).isZero();
        rootKey = run.out().substring(0, 43);
        assertThat(run.main("keys", "rotate", "--compromised", "--since", SINCE.toString(), "--root-key", root))
                .describedAs(run.err())
                .isZero();
        newKey = run.out().substring(0, 43);
        await(() -> ChainPages.of(idle).rows("signing_key.rotated").size() == 1);
        await(() -> ChainPages.of(busy).rows("signing_key.rotated").size() == 1);
        for (ServiceNode node : List.of(one, other)) {
            await(() -> node.caller().get(API + "signing-keys").ok().text().contains(newKey));
        }
        decide(busy, 2);
        decide(busy.at(other.caller().address()), 2);
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
    }

    @Test
    void every_chain_goes_on_with_the_new_key_on_both_nodes() {
        for (ApiCaller agent : List.of(busy, idle)) {
            List<JsonNode> rows = ChainPages.of(agent).rows();
            JsonNode rotation = ChainPages.of(agent).rows("signing_key.rotated").get(0);
            int place = rotation.get("seq").intValue();

            assertThat(rotation.get("payload").get("reason").textValue()).isEqualTo("compromise");
            assertThat(rotation.get("payload").get("trustedThroughSeq").intValue())
                    .isEqualTo(place - 1);
            assertThat(rows)
                    .extracting(row -> row.get("signingKeyId").textValue())
                    .containsExactlyElementsOf(rows.stream()
                            .map(row -> row.get("seq").intValue() < place ? thief.keyId() : newKey)
                            .toList());
        }
        assertThat(rows(busy)).hasSizeGreaterThan(place(busy) + 3);
    }

    @Test
    void the_manifest_says_what_happened_and_who_vouches() throws Exception {
        for (ApiCaller agent : List.of(busy, busy.at(other.caller().address()))) {
            JsonNode keys = agent.get(API + "signing-keys").ok().json().get("keys");
            JsonNode stolen = key(keys, thief.keyId());
            JsonNode next = key(keys, newKey);

            assertThat(stolen.get("status").textValue()).isEqualTo("revoked");
            assertThat(stolen.get("revocationReason").textValue()).isEqualTo("compromise");
            assertThat(Instant.parse(stolen.get("compromisedSince").textValue()))
                    .isEqualTo(SINCE);
            assertThat(Instant.parse(stolen.get("revokedAt").textValue())).isAfter(SINCE);
            assertThat(next.get("status").textValue()).isEqualTo("active");
            assertThat(next.get("attestations").findValuesAsText("byKeyId")).containsExactly(rootKey);
            assertThat(key(keys, rootKey).get("purpose").textValue()).isEqualTo("root");
        }
    }

    @Test
    void everybody_accepts_the_rows_the_operator_vouches_for_and_those_of_the_new_key() throws Exception {
        for (ApiCaller agent : List.of(busy, idle)) {
            ChainPages chain = ChainPages.of(agent);
            List<String> verdicts = Verifiers.ALL.verdicts(
                    folder, chain.text(), chain.keys(), "--pin", thief.keyId(), "--root", rootKey);

            assertThat(verdicts)
                    .allMatch(verdict -> verdict.startsWith("ok " + chain.rows().size() + " rows"));
        }
    }

    @Test
    void nobody_accepts_the_new_key_without_having_been_given_the_root_key() throws Exception {
        ChainPages chain = ChainPages.of(busy);

        assertThat(Verifiers.ALL.verdicts(folder, chain.text(), chain.keys(), "--pin", thief.keyId()))
                .isNotEmpty()
                .allMatch(verdict -> verdict.matches("broken at seq " + place(busy)
                        + ": [Tt]he key rotation is an emergency, and no root key was given to vouch for it.?"));
    }

    @Test
    void a_row_of_the_thief_after_the_rotation_is_refused() throws Exception {
        List<PolicyEvent> rows = rows(busy);
        rows.add(forged(rows, rows.size()));

        assertThat(refusals(rows))
                .allMatch(verdict -> verdict.matches("broken at seq " + rows.size()
                        + ": [Tt]he row is signed by another key than the chain expects.?"));
    }

    @Test
    void a_row_of_the_thief_in_the_place_of_the_rotation_is_refused_with_all_before_it() throws Exception {
        List<PolicyEvent> rows = rows(busy);
        int trusted = place(busy) - 1;
        List<PolicyEvent> stolen = new ArrayList<>(rows.subList(0, trusted));
        stolen.add(forged(rows, trusted));

        assertThat(refusals(stolen))
                .allMatch(verdict -> verdict.matches(
                        "broken at seq 1: [Tt]he row was signed by a compromised key and nothing vouches for it.?"));
    }

    @Test
    void a_row_of_the_thief_slipped_in_before_the_rotation_is_refused() throws Exception {
        List<PolicyEvent> rows = rows(busy);
        int trusted = place(busy) - 1;
        rows.add(trusted, forged(rows, trusted));

        assertThat(refusals(rows))
                .allMatch(verdict -> verdict.matches(
                        "broken at seq " + (trusted + 1) + ": [Tt]he row should be number " + (trusted + 2) + ".?"));
    }

    @Test
    void a_history_the_thief_wrote_anew_before_the_rotation_is_refused() throws Exception {
        List<PolicyEvent> rows = rows(busy);
        int trusted = place(busy) - 1;
        rows.set(trusted - 1, forged(rows, trusted - 1));

        assertThat(refusals(rows))
                .allMatch(verdict -> verdict.matches(
                        "broken at seq " + (trusted + 1) + ": [Tt]he row does not follow the row before it.?"));
    }

    private static List<String> refusals(List<PolicyEvent> rows) throws Exception {
        String text = rows.stream().map(StolenKeyTest::text).collect(Collectors.joining(",", "[", "]"));
        List<String> verdicts =
                Verifiers.ALL.verdicts(folder, text, ChainPages.of(busy).keys(), "--root", rootKey);
        assertThat(verdicts).isNotEmpty();
        return verdicts;
    }

    /** What the thief can sign behind some rows. */
    private static PolicyEvent forged(List<PolicyEvent> rows, int after) {
        return EventChain.next(
                ChainHead.after(rows.get(after - 1)),
                new EventDraft(EventKind.DRIFT_CLEARED, Map.of("rule", "cash_floor")),
                UUID.randomUUID(),
                SALT,
                Instant.now(),
                thief.keyId(),
                thief::sign);
    }

    private static List<PolicyEvent> rows(ApiCaller agent) {
        return ChainPages.of(agent).rows().stream()
                .map(row -> RowText.at(RowText.bytes(row.toString().getBytes(StandardCharsets.UTF_8)), 0)
                        .row())
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static int place(ApiCaller agent) {
        return ChainPages.of(agent)
                .rows("signing_key.rotated")
                .get(0)
                .get("seq")
                .intValue();
    }

    private static String text(PolicyEvent row) {
        StringBuilder out = new StringBuilder();
        RowJson.append(out, row);
        return out.toString();
    }

    private static JsonNode key(JsonNode keys, String kid) {
        for (JsonNode key : keys) {
            if (key.get("kid").textValue().equals(kid)) {
                return key;
            }
        }
        throw new AssertionError(kid + " is not in " + keys);
    }

    private static void decide(ApiCaller agent, int times) {
        for (int i = 0; i < times; i++) {
            agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "" + (i + 1)))
                    .ok();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).describedAs("patience").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
