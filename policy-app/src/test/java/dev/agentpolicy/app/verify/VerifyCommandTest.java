package dev.agentpolicy.app.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SeededRandomSource;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.RandomHistory;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The command that verifies, as it is typed. */
class VerifyCommandTest extends VerifyBench {
    @Test
    void the_vectors_are_accepted() {
        Said said = verify("--events", docs("vectors", "events.json"), "--keys", docs("vectors", "signing-keys.json"));
        Said emergency = verify(
                "--root",
                TestKey.ROOT.keyId(),
                docs("vectors/emergency", "events.json"),
                docs("vectors/emergency", "signing-keys.json"));

        assertThat(said.code()).describedAs(said.toString()).isZero();
        assertThat(said.trust())
                .isEqualTo("[trusted on first use: anchor key " + TestKey.ANCHOR.keyId() + ", event key "
                        + TestKey.ONE.keyId() + "]");
        assertThat(emergency.code()).describedAs(emergency.toString()).isEqualTo(3);
        assertThat(emergency.out()).startsWith("ok 5 rows").endsWith(", 1 erased");
        assertThat(verify(docs("vectors", "events.json"), docs("vectors", "signing-keys.json"))
                        .out())
                .isEqualTo("ok 6 rows, head " + HEAD);
    }

    @Test
    void random_days_are_intact_and_every_verdict_follows() throws Exception {
        Said said = verify("--recompute", PAGES.file(folder, USER).toString(), keys());

        assertThat(said.code()).describedAs(said.toString()).isZero();
        assertThat(said.out())
                .matches("ok " + rows().size() + " rows, head " + last().hash()
                        + ", [1-9]\\d* verdicts recomputed \\(not decided again: \\d+ unreadable, \\d+ turned down by the"
                        + " user, 0 erased\\)");
    }

    @Test
    void a_chain_with_erased_decisions_is_recomputed_as_far_as_that_goes_and_ends_with_3() throws Exception {
        List<PolicyEvent> rows = new ArrayList<>(rows());
        List<PolicyEvent> erased = rows.stream()
                .filter(row -> row.kind() == EventKind.GUARDRAIL_DECISION)
                .skip(20)
                .limit(3)
                .toList();
        erased.forEach(row -> rows.set((int) row.seq() - 1, withoutPayload(row)));
        String bare = json(rows);
        Path events = Files.writeString(
                folder.resolve("erased.json"),
                "{\"events\":" + bare + ",\"nextCursor\":null,\"erasures\":" + entries(erased) + "}");
        Path withoutEvidence = Files.writeString(folder.resolve("nulled.json"), bare);
        Path save = folder.resolve("state");

        Said said = verify("--recompute", "--save", save.toString(), events.toString(), keys());
        Said again = verify("--save", save.toString(), events.toString(), keys());
        Said nulled = verify("--recompute", withoutEvidence.toString(), keys());

        assertThat(said.code()).describedAs(said.toString()).isEqualTo(3);
        assertThat(said.out())
                .matches("ok " + rows.size() + " rows, head " + last().hash()
                        + ", 3 erased, [1-9]\\d* verdicts recomputed \\(.* [3-9]\\d* erased\\)");
        assertThat(again.out()).isEqualTo("ok " + rows.size() + " rows, head " + last().hash() + ", 3 erased");
        assertThat(again.code()).isEqualTo(3);
        assertThat(nulled.code()).isEqualTo(1);
        assertThat(nulled.out())
                .isEqualTo("broken at seq " + erased.get(0).seq()
                        + ": The payload is missing, and no signed erasure explains it.");
    }

    private static String entries(List<PolicyEvent> erased) {
        return erased.stream()
                .map(row -> {
                    StringBuilder entry = new StringBuilder();
                    Erasure.ofRow(
                                    row.userId(),
                                    row.seq(),
                                    row.hash(),
                                    row.createdAt(),
                                    "Asked for by the user",
                                    TestKey.ONE.keyId(),
                                    TestKey.ONE::sign)
                            .appendJson(entry);
                    return entry.toString();
                })
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static PolicyEvent withoutPayload(PolicyEvent row) {
        return new PolicyEvent(
                row.userId(),
                row.seq(),
                row.eventId(),
                row.kind(),
                row.createdAt(),
                null,
                row.payloadHash(),
                row.prevHash(),
                row.signingKeyId(),
                row.hash(),
                row.signature());
    }

    @Test
    void an_asset_that_only_the_directory_of_the_service_knows_is_noted_and_no_failure() throws Exception {
        SettableClock clock = new SettableClock(StoreSamples.START);
        InMemoryStore store = new InMemoryStore(clock, TestKey.ONE);
        KeyRequest wanted = new KeyRequest("Agent", KeyType.LIVE, Set.of(Scope.VALIDATE), KeyPolicy.NO_CAPS, null);
        AgentKeyId key = new IssueKeys(store, store, new SeededRandomSource(new Random(1)))
                .mint(USER, wanted)
                .toCompletableFuture()
                .join()
                .fold(issued -> issued.key().id(), refusal -> null);
        AssetSymbol grove = new AssetSymbol("GROVE");
        Trade trade = new Trade(Action.BUY, grove, AssetType.CRYPTO, Usd.of(1), null);
        ResolvedAsset asset = new ResolvedAsset(grove, "GROVE", AssetType.CRYPTO, ResolvedAsset.Source.DIRECTORY);
        store.change(USER, account -> {
                    Decision decision = Evaluator.decide(new EvaluationContext(
                            trade, asset, null, null, null, KeyPolicy.NO_CAPS, CapUsage.NOTHING, account.now()));
                    return new Outcome.Recording()
                            .event(DecisionPayload.draft(new DecisionRecord(
                                    DecisionRecord.Kind.VALIDATE,
                                    null,
                                    key,
                                    trade,
                                    asset,
                                    null,
                                    null,
                                    CapUsage.NOTHING,
                                    decision,
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    null,
                                    null)))
                            .answer(receipts -> true);
                })
                .toCompletableFuture()
                .join();
        ExportedPages pages = new ExportedPages(store.eventLog(), TestKey.ONE, clock);

        Said said = verify("--recompute", pages.file(folder, USER).toString(), keys());

        assertThat(said.code()).describedAs(said.toString()).isZero();
        assertThat(said.out())
                .startsWith("ok 2 rows")
                .endsWith("note at seq 2: GROVE is recorded as crypto by the directory of the service;"
                        + " the directory of this verifier says unknown.");
    }

    @Test
    void pages_may_come_in_files_of_their_own_and_rows_in_an_array() throws Exception {
        List<byte[]> pages = PAGES.pages(USER, 100);
        List<String> files = new ArrayList<>();
        for (int i = 0; i < pages.size(); i++) {
            files.add(Files.write(folder.resolve("page-" + i + ".json"), pages.get(i))
                    .toString());
        }
        Path bare = Files.writeString(folder.resolve("rows.json"), json(rows()));
        List<String> several = new ArrayList<>(List.of("--keys", keys(), "--events"));
        several.addAll(files);
        String ok = "ok " + rows().size() + " rows, head " + last().hash();

        assertThat(verify(several.toArray(String[]::new)).out()).isEqualTo(ok);
        assertThat(verify(bare.toString(), keys()).out()).isEqualTo(ok);
    }

    @Test
    void the_first_bad_row_is_named() throws Exception {
        List<PolicyEvent> rows = new ArrayList<>(rows());
        rows.remove(41);
        Path events = Files.writeString(folder.resolve("events.json"), json(rows));
        Said said = verify(events.toString(), keys());

        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out()).isEqualTo("broken at seq 43: The row should be number 42.");
    }

    @Test
    void a_row_that_cannot_be_read_is_broken_where_it_stands() throws Exception {
        String json = json(rows().subList(0, 5)).replaceFirst("\"seq\":3,", "\"seq\":3,\"extra\":1,");
        Path events = Files.writeString(folder.resolve("events.json"), json);

        assertThat(verify(events.toString(), keys()).out()).isEqualTo("broken at seq 3: extra is not a known field.");
    }

    @Test
    void receipts_and_kept_heads_are_held_against_the_chain() throws Exception {
        String events = docs("vectors", "events.json");
        String keys = docs("vectors", "signing-keys.json");
        String page = Files.readString(Path.of(events));
        Path head = Files.writeString(
                folder.resolve("head.json"),
                page.substring(page.indexOf('{', page.indexOf("\"head\"")), page.lastIndexOf('}')));
        Path receipts = Files.writeString(folder.resolve("receipts"), "6:" + HEAD + "\n\n6 " + HEAD + "\n");
        Path shorter = Files.writeString(folder.resolve("short.json"), "[" + firstRows(page) + "]");

        assertThat(verify(events, keys, "--receipts", receipts.toString(), "--head", head.toString())
                        .code())
                .isZero();
        assertThat(verify(shorter.toString(), keys, "--head", head.toString()).out())
                .isEqualTo("broken at seq 2: The chain ends here, but a later row was given out earlier.");
        assertThat(verify(events, keys, "--receipt", "3:" + HEAD).out())
                .isEqualTo("broken at seq 3: The row is not the one whose hash was given out earlier.");
        assertThat(verify(events, keys, "--receipt", "6:" + HEAD, "--receipt", "6:" + "0".repeat(64))
                        .out())
                .isEqualTo("broken at seq 6: Two rows were given out for this place; keep both, they prove it.");
    }

    @Test
    void a_kept_head_that_nobody_signed_is_refused() throws Exception {
        String page = Files.readString(Path.of(docs("vectors", "events.json")));
        String head = page.substring(page.indexOf('{', page.indexOf("\"head\"")), page.lastIndexOf('}'));
        Path forged = Files.writeString(folder.resolve("head.json"), head.replace("\"seq\" : 6", "\"seq\" : 5"));

        assertThat(verify(
                                docs("vectors", "events.json"),
                                docs("vectors", "signing-keys.json"),
                                "--head",
                                forged.toString())
                        .out())
                .isEqualTo("broken at seq 5: The head that was kept is not signed by a key of this manifest.");
    }

    @Test
    void a_verification_goes_on_where_the_last_one_ended() throws Exception {
        Path half = Files.writeString(folder.resolve("half.json"), json(rows().subList(0, 200)));
        Path whole = Files.writeString(folder.resolve("whole.json"), json(rows()));
        Path rest = Files.writeString(folder.resolve("rest.json"), json(rows().subList(200, rows().size())));
        Path other = Files.writeString(folder.resolve("other.json"), json(rows().subList(0, 150)));
        Path save = folder.resolve("state");

        assertThat(verify(half.toString(), keys(), "--save", save.toString()).code())
                .isZero();
        String first = Files.readString(save);
        assertThat(verify(rest.toString(), keys(), "--save", save.toString()).out())
                .isEqualTo("ok " + rows().size() + " rows, head " + last().hash());
        Files.writeString(save, first);
        assertThat(verify(whole.toString(), keys(), "--save", save.toString()).code())
                .isZero();
        assertThat(Files.readString(save)).isNotEqualTo(first);
        assertThat(verify(other.toString(), keys(), "--save", save.toString()).out())
                .isEqualTo("broken at seq 151: The chain ends here, but was longer when it was verified before.");
    }

    @Test
    void a_history_other_than_the_one_verified_before_is_found() throws Exception {
        SettableClock clock = new SettableClock(StoreSamples.START);
        InMemoryStore store = new InMemoryStore(clock, TestKey.ONE);
        new RandomHistory(store, clock, 8).live(USER, 100, 2);
        Path save = folder.resolve("state");
        verify(
                Files.writeString(folder.resolve("first.json"), json(rows().subList(0, 50)))
                        .toString(),
                keys(),
                "--save",
                save.toString());
        Path other = new ExportedPages(store.eventLog(), TestKey.ONE, clock).file(folder, USER);

        assertThat(verify(other.toString(), keys()).code()).isZero();
        assertThat(verify(other.toString(), keys(), "--save", save.toString()).out())
                .isEqualTo("broken at seq 50: The row is not the one that was verified before.");
    }

    @Test
    void an_older_manifest_than_was_seen_is_refused() throws Exception {
        Path events = Files.writeString(folder.resolve("events.json"), json(rows()));
        Path save = folder.resolve("state");
        verify(events.toString(), keys(TestKey.ONE, TestKey.TWO), "--save", save.toString());

        assertThat(verify(events.toString(), keys(TestKey.ONE), "--save", save.toString())
                        .out())
                .isEqualTo("broken at seq 1: The manifest is older than one that was seen before.");
    }

    @Test
    void a_service_is_asked_page_by_page_and_with_patience() throws Exception {
        List<byte[]> pages = PAGES.pages(USER, 100);
        Deque<byte[]> answers = new ArrayDeque<>(pages);
        Files.readAllBytes(Path.of(keys()));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        int[] calls = new int[1];
        server.createContext(
                "/api/agent/v1/signing-keys",
                it -> answer(it, 200, Files.readAllBytes(folder.resolve("signing-keys.json"))));
        server.createContext("/api/agent/v1/policy/events", it -> {
            boolean isBusy = calls[0]++ == 1;
            boolean isKnown = "Bearer key".equals(it.getRequestHeaders().getFirst("Authorization"));
            answer(it, !isKnown ? 401 : isBusy ? 429 : 200, isBusy || !isKnown ? new byte[0] : answers.poll());
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
            String stale = "broken at seq " + last().seq() + ": The head is too old.";

            assertThat(verify("--url", url, "--api-key-env", "KEY").out()).isEqualTo(stale);
            assertThat(answers).isEmpty();
            answers.addAll(pages);
            assertThat(verify("--url", url, "--api-key-env", "KEY", "--issued-since", "2020-01-01T00:00:00.000000Z")
                            .out())
                    .isEqualTo("ok " + rows().size() + " rows, head " + last().hash());
            assertThat(verify("--url", url, "--api-key-env", "WRONG").err()).contains("does not accept the key");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void unreadable_input_gives_no_verdict() throws Exception {
        Path junk = Files.writeString(folder.resolve("junk.json"), "[{\"events\":[}]");
        Path nothing = Files.writeString(folder.resolve("nothing.json"), "[]");

        for (String[] arguments : new String[][] {
            {},
            {"--events", junk.toString()},
            {junk.toString(), keys()},
            {nothing.toString(), keys()},
            {folder.resolve("absent.json").toString(), keys()},
            {junk.toString(), junk.toString()},
            {"--url", "http://127.0.0.1:1"},
            {"--url", "http://127.0.0.1:1", "--api-key-env", "ABSENT"},
            {"--recompute", "--from", "1,2,3,4", junk.toString(), keys()},
            {"--purpose", "root", nothing.toString(), keys()},
            {"--receipt", "x", nothing.toString(), keys()},
            {"--unknown"}
        }) {
            Said said = verify(arguments);
            assertThat(said.code()).describedAs(List.of(arguments) + " " + said).isEqualTo(2);
            assertThat(said.out()).isEmpty();
            assertThat(said.err()).isNotEmpty();
        }
    }
}
