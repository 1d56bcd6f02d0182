package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.agentpolicy.app.Verifiers.Said;
import dev.agentpolicy.domain.event.canonical.TestJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every verifier holds the last page of a chain to its head (docs/reference/events.md, Heads and receipts). */
@Tag("slow")
class CutOffChainTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path GENUINE = TestJson.docs().resolve("vectors/attacks/genuine");
    private static final Path STATE = GENUINE.resolveSibling("state.json");
    private static final Path CONSOLE =
            TestJson.docs().resolveSibling("policy-adapters-http/src/test/console/verify-chain.mjs");
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
    void only_the_last_of_several_pages_is_held_to_its_head() throws Exception {
        scriptsSay(0, "ok 5 rows, head " + hash(ROWS), rows(1, 2), rows(3, 4), rows(5, 5));
        scriptsSay(0, "ok 5 rows, head " + hash(ROWS), rows(1, 5), rows(6, 5));
        scriptsSay(1, "broken at seq 5: row 5 is missing, the signed head names row 5", rows(1, 2), rows(3, 4));
    }

    @Test
    void a_page_that_another_one_follows_is_not_held_to_its_head() throws Exception {
        scriptsSay(0, "ok 3 rows, head " + hash(3), rows(1, 3).put("nextCursor", "MXxhc2N8fHwz"));
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
        List<String> files = scriptsSay(code, verdict, only);
        if (Shell.has("node")) {
            assertSaid(code, verdict, Shell.run("console", List.of("node", CONSOLE.toString()), files));
        }
    }

    /** What the command and the scripts say of these pages, in files of their own. */
    private List<String> scriptsSay(int code, String verdict, ObjectNode... pages) throws Exception {
        List<String> files = files(pages);
        for (Said said : Verifiers.ALL.said(files)) {
            assertSaid(code, verdict, said);
        }
        return files;
    }

    private void continued(int code, String verdict, ObjectNode next) throws Exception {
        List<String> verifiers = new ArrayList<>(Verifiers.ALL.scripts());
        verifiers.removeAll(Verifiers.ALL.absent());
        for (String verifier : verifiers) {
            assertSaid(code, verdict, Verifiers.script(verifier, saved(next)));
        }
        assertSaid(code, verdict, Verifiers.command(saved(next)));
    }

    /** Arguments that continue after three rows. */
    private List<String> saved(ObjectNode next) throws IOException {
        Path save = Files.writeString(folder.resolve("state"), Files.readString(STATE));
        List<String> arguments = new ArrayList<>(files(next));
        arguments.addAll(List.of("--save", save.toString()));
        return arguments;
    }

    private static void assertSaid(int code, String verdict, Said said) {
        assertThat(said.verdict()).describedAs(said.toString()).isEqualTo(verdict);
        assertThat(said.code()).describedAs(said.toString()).isEqualTo(code);
    }

    private List<String> files(ObjectNode... pages) throws IOException {
        List<String> files = new ArrayList<>();
        for (ObjectNode each : pages) {
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

    private String hash(int seq) {
        return page.get("events").get(seq - 1).get("hash").textValue();
    }
}
