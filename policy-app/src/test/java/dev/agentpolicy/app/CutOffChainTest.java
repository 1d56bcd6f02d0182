package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.agentpolicy.app.Verifiers.Said;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.SignedHead;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every verifier holds a chain to the highest of its heads (docs/reference/events.md, Heads and receipts). */
@Tag("slow")
class CutOffChainTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path GENUINE = TestJson.docs().resolve("vectors/attacks/genuine");
    private static final Path STATE = GENUINE.resolveSibling("state.json");
    private static final int ROWS = 5;

    @TempDir
    private Path folder;

    private ObjectNode page;

    @BeforeEach
    void theWholeChain() throws IOException {
        page = (ObjectNode) JSON.readTree(GENUINE.resolve("events.json").toFile());
    }

    @Test
    void a_chain_that_was_cut_off_is_not_called_whole() throws Exception {
        everyVerifierSays(1, "broken at seq 4: rows 4 to 5 are missing, the signed head names row 5", rows(1, 3));
        everyVerifierSays(1, "broken at seq 5: row 5 is missing, the signed head names row 5", rows(1, 4));
        everyVerifierSays(1, "broken at seq 1: rows 1 to 5 are missing, the signed head names row 5", rows(1, 0));
        everyVerifierSays(0, "ok 5 rows, head " + hash(ROWS), rows(1, ROWS));
    }

    @Test
    void a_page_without_a_cursor_is_the_end_whether_it_says_so_or_not() throws Exception {
        ObjectNode exported = rows(1, 3);
        exported.remove("nextCursor");

        everyVerifierSays(1, "broken at seq 4: rows 4 to 5 are missing, the signed head names row 5", exported);
    }

    @Test
    void the_rows_that_a_head_names_may_be_on_later_pages() throws Exception {
        scriptsSay(0, "ok 5 rows, head " + hash(ROWS), rows(1, 2), rows(3, 4), rows(5, 5));
        scriptsSay(0, "ok 5 rows, head " + hash(ROWS), rows(1, 5), rows(6, 5));
        scriptsSay(1, "broken at seq 5: row 5 is missing, the signed head names row 5", rows(1, 2), rows(3, 4));
    }

    @Test
    void a_page_that_another_one_follows_is_not_held_to_its_head_and_the_answer_says_that_the_log_goes_on()
            throws Exception {
        String more = "\nThe log goes on: the signed head names row 5.";

        scriptsSay(0, "ok 3 rows, head " + hash(3) + more, goesOn(rows(1, 3)));
        scriptsSay(0, "ok 3 rows, head " + hash(3) + more, goesOn(rows(1, 2)), goesOn(headed(rows(3, 3), 3)));
        scriptsSay(0, "ok 3 rows, head " + hash(3) + more, goesOn(rows(1, 2)), goesOn(headless(rows(3, 3))));
        scriptsSay(0, "ok 5 rows, head " + hash(ROWS), goesOn(rows(1, ROWS)));
    }

    @Test
    void a_chain_cut_off_by_removing_the_head_of_its_last_page_is_not_called_whole() throws Exception {
        pagesSay(1, "broken at seq 5: row 5 is missing, the signed head names row 5", rows(1, 2), headless(rows(3, 4)));
        pagesSay(
                1,
                "broken at seq 4: rows 4 to 5 are missing, the signed head names row 5",
                rows(1, 3),
                headless(rows(4, 3)));
        pagesSay(0, "ok 5 rows, head " + hash(ROWS), rows(1, 2), headless(rows(3, ROWS)));
    }

    @Test
    void a_chain_cut_off_by_making_its_last_page_bare_rows_is_not_called_whole() throws Exception {
        ArrayNode bare = (ArrayNode) rows(3, 4).get("events");
        String missing = "broken at seq 5: row 5 is missing, the signed head names row 5";

        scriptsSay(1, missing, goesOn(rows(1, 2)), bare);
        scriptsSay(1, missing, bare.insert(0, goesOn(rows(1, 2))));
        consoleSays(1, missing, bare);
        scriptsSay(
                0,
                "ok 5 rows, head " + hash(ROWS),
                goesOn(rows(1, 2)),
                rows(3, ROWS).get("events"));
    }

    @Test
    void a_chain_cut_off_by_an_older_head_on_its_last_page_is_not_called_whole() throws Exception {
        pagesSay(
                1,
                "broken at seq 4: rows 4 to 5 are missing, the signed head names row 5",
                rows(1, 2),
                headed(rows(3, 3), 3));
        pagesSay(
                1,
                "broken at seq 4: rows 4 to 5 are missing, the signed head names row 5",
                rows(1, 3),
                headed(rows(4, 3), 3));
    }

    @Test
    void a_continued_chain_is_held_to_heads_of_pages_that_were_seen_before() throws Exception {
        continued(
                1,
                "broken at seq 4: rows 4 to 5 are missing, the signed head names row 5",
                goesOn(rows(1, 2)),
                headless(rows(3, 3)));
        continued(0, "ok 5 rows, head " + hash(ROWS), goesOn(headed(rows(1, 2), 2)), rows(3, ROWS));
    }

    @Test
    void a_cursor_or_a_head_of_another_form_is_malformed() throws Exception {
        for (String other : List.of("\"\"", "false", "0", "[]", "{}", "7")) {
            malformed("cursor", (ObjectNode) rows(1, ROWS).set("nextCursor", JSON.readTree(other)));
            malformed("head", (ObjectNode) rows(1, ROWS).set("head", JSON.readTree(other)));
        }
        malformed("head", (ObjectNode) rows(1, ROWS).set("head", JSON.readTree("\"head\"")));
        malformed("cursor", rows(1, ROWS).put("nextCursor", true));
        scriptsSay(0, "ok 5 rows, head " + hash(ROWS), rows(1, ROWS).putNull("head"));
    }

    /** Such a page is broken; the command names the row that would come next, the scripts the last one. */
    private void malformed(String what, ObjectNode only) throws Exception {
        String verdict = "broken at seq 5: the " + what + " is malformed";
        for (Said said : Verifiers.ALL.said(files(only))) {
            if (said.verifier().equals("verify")) {
                assertThat(said.code()).describedAs(said + " of " + only).isEqualTo(1);
                assertThat(said.line()).contains("The " + what + " is malformed");
            } else {
                assertSaid(1, verdict, said);
            }
        }
        if (Shell.has("node")) {
            Said onPage = proofPage(only);
            assertThat(onPage.verdict()).endsWith(": the " + what + " is malformed");
            assertThat(onPage.code()).isEqualTo(1);
        }
    }

    @Test
    void a_chain_that_is_continued_is_held_to_its_head() throws Exception {
        for (ObjectNode next : List.of(rows(4, 5), rows(3, 5), rows(1, 5))) {
            continued(0, "ok 5 rows, head " + hash(ROWS), next);
        }
        for (ObjectNode next : List.of(rows(4, 4), rows(1, 4))) {
            continued(1, "broken at seq 5: row 5 is missing, the signed head names row 5", next);
        }
        for (ObjectNode next : List.of(rows(4, 3), rows(3, 3), rows(1, 3))) {
            continued(1, "broken at seq 4: rows 4 to 5 are missing, the signed head names row 5", next);
        }
    }

    @Test
    void the_command_fetches_on_when_the_head_is_ahead_of_the_last_row() throws Exception {
        assertThat(asked(rows(1, 3), rows(3, 4), rows(4, 5)).verdict()).isEqualTo("ok 5 rows, head " + hash(ROWS));
        assertThat(asked(rows(1, 0), rows(1, 5)).verdict()).isEqualTo("ok 5 rows, head " + hash(ROWS));
        assertThat(asked(goesOn(rows(1, 2)), headless(rows(3, 3)), rows(4, 5)).verdict())
                .isEqualTo("ok 5 rows, head " + hash(ROWS));
        Said behind = asked(rows(1, 3), rows(3, 3));

        assertThat(behind.code()).isEqualTo(1);
        assertThat(behind.verdict()).isEqualTo("broken at seq 4: rows 4 to 5 are missing, the signed head names row 5");
    }

    /** What the command says of a service that answers with these pages, the last one again and again. */
    private Said asked(ObjectNode... pages) throws Exception {
        Deque<ObjectNode> left = new ConcurrentLinkedDeque<>(List.of(pages));
        byte[] keys = Files.readAllBytes(GENUINE.resolve("signing-keys.json"));
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            boolean isKeys = exchange.getRequestURI().getPath().endsWith("signing-keys");
            ObjectNode next = isKeys ? null : left.size() > 1 ? left.poll() : left.peek();
            byte[] body = next == null ? keys : next.toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        service.start();
        try {
            CommandLineRun run = new CommandLineRun(Map.of("KEY", "svc_live_x"));
            String url = "http://" + service.getAddress().getAddress().getHostAddress() + ":"
                    + service.getAddress().getPort();
            int code = run.main(
                    "verify", "--url", url, "--api-key-env", "KEY", "--issued-since", "2026-11-01T00:00:00.000000Z");
            return new Said("verify", code, (run.out() + (code == 2 ? run.err() : "")).strip());
        } finally {
            service.stop(0);
        }
    }

    private void everyVerifierSays(int code, String verdict, ObjectNode only) throws Exception {
        scriptsSay(code, verdict, only);
        consoleSays(code, verdict, only);
    }

    /** What every verifier and the proof page say of two pages, of which the first one has a cursor. */
    private void pagesSay(int code, String verdict, ObjectNode first, ObjectNode last) throws Exception {
        scriptsSay(code, verdict, goesOn(first), last);
        ArrayNode pages = JSON.createArrayNode().add(goesOn(first)).add(last);
        consoleSays(code, verdict, pages);
        if (Shell.has("node")) {
            assertSaid(code, verdict, proofPage(pages));
        }
    }

    /** What the command and the scripts say of these pages, in files of their own. */
    private void scriptsSay(int code, String verdict, JsonNode... pages) throws Exception {
        for (Said said : Verifiers.ALL.said(files(pages))) {
            assertSaid(code, verdict, said);
        }
    }

    private void consoleSays(int code, String verdict, JsonNode pages) throws Exception {
        if (Shell.has("node")) {
            assertSaid(code, verdict, Verifiers.console(files(pages)));
        }
    }

    /** What the code of the proof page says in a browser that has seen nothing before. */
    private Said proofPage(JsonNode pages) throws Exception {
        List<String> arguments = new ArrayList<>(files(pages));
        Path browser = folder.resolve("browser");
        Files.deleteIfExists(browser);
        arguments.addAll(List.of("--browser", browser.toString()));
        return Verifiers.console(arguments);
    }

    private void continued(int code, String verdict, ObjectNode... next) throws Exception {
        List<String> verifiers = new ArrayList<>(Verifiers.ALL.scripts());
        verifiers.removeAll(Verifiers.ALL.absent());
        verifiers.removeIf(verifier -> !Verifiers.isItsTurn(verifier));
        for (String verifier : verifiers) {
            assertSaid(code, verdict, Verifiers.oneOfMany(verifier, saved(next)));
        }
        assertSaid(code, verdict, Verifiers.command(saved(next)));
    }

    /** Arguments that continue after three rows. */
    private List<String> saved(ObjectNode... next) throws IOException {
        Path save = Files.writeString(folder.resolve("state"), Files.readString(STATE));
        List<String> arguments = new ArrayList<>(files(next));
        arguments.addAll(List.of("--save", save.toString()));
        return arguments;
    }

    private static void assertSaid(int code, String verdict, Said said) {
        assertThat(said.verdict()).describedAs(said.toString()).isEqualTo(verdict);
        assertThat(said.code()).describedAs(said.toString()).isEqualTo(code);
    }

    private List<String> files(JsonNode... pages) throws IOException {
        List<String> files = new ArrayList<>();
        for (JsonNode each : pages) {
            Path file = Files.writeString(folder.resolve("page-" + files.size()), each.toString());
            files.add(file.toString());
        }
        files.add(GENUINE.resolve("signing-keys.json").toAbsolutePath().toString());
        return files;
    }

    /** The page with some of its rows only, and the head of all. */
    private ObjectNode rows(int first, int last) {
        ObjectNode cut = page.deepCopy();
        ArrayNode rows = cut.putArray("events");
        for (int seq = first; seq <= last; seq++) {
            rows.add(page.get("events").get(seq - 1));
        }
        return cut;
    }

    private static ObjectNode goesOn(ObjectNode page) {
        return page.put("nextCursor", "MXxhc2N8fHwz");
    }

    private static ObjectNode headless(ObjectNode page) {
        return page.without("head");
    }

    /** The page with a head that was signed earlier, when there were fewer rows. */
    private ObjectNode headed(ObjectNode page, int seq) throws IOException {
        Instant earlier = Instant.parse("2026-11-21T10:00:00Z");
        UserId user = UserId.of(page.get("head").get("userId").textValue());
        StringBuilder head = new StringBuilder();
        SignedHead.issue(new ChainHead(user, seq, hash(seq), earlier), earlier, TestKey.ONE.keyId(), TestKey.ONE::sign)
                .appendJson(head);
        page.set("head", JSON.readTree(head.toString()));
        return page;
    }

    private String hash(int seq) {
        return page.get("events").get(seq - 1).get("hash").textValue();
    }
}
