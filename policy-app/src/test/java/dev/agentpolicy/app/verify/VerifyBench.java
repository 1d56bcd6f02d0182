package dev.agentpolicy.app.verify;

import com.sun.net.httpserver.HttpExchange;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RowJson;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.usecase.RandomHistory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs the command against vectors and pages of a store. */
abstract class VerifyBench {
    static final UserId USER = new UserId(UUID.fromString("7c9e6679-7425-40de-944b-e07fc1f90ae7"));
    static final String HEAD = "1ecf81536bf57e069ea8e65d5672ae62af8dc33ef9eb91683113b9b7726c2cdc";
    static final SettableClock CLOCK = new SettableClock(StoreSamples.START.minus(Duration.ofDays(60)));
    static final InMemoryStore STORE = new InMemoryStore(CLOCK, TestKey.ONE);
    static final ExportedPages PAGES = new ExportedPages(STORE.eventLog(), TestKey.ONE, CLOCK);

    static {
        new RandomHistory(STORE, CLOCK, 7).live(USER, 400, 5);
    }

    @TempDir
    Path folder;

    /** @param out without the keys the verdict rests on, which {@code trust} has */
    record Said(int code, String out, String trust, String err) {}

    Said verify(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new VerifyCommand(Map.of("KEY", "key", "WRONG", "other")))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        String[] lines = out.toString().strip().split("\n", 2);
        String notes = lines.length > 1 ? "\n" + lines[1] : "";
        String line = lines[0];
        int end = line.lastIndexOf(" [");
        return new Said(
                code,
                (end < 0 ? line : line.substring(0, end)) + notes,
                end < 0 ? "" : line.substring(end + 1),
                err.toString().strip());
    }

    String keys(TestKey... keys) throws IOException {
        List<TestKey> all = keys.length == 0 ? List.of(TestKey.ONE) : List.of(keys);
        return ExportedPages.keys(
                        folder,
                        TestKey.ANCHOR,
                        Stream.concat(
                                        all.stream().map(key -> key.active(Purpose.EVENT, StoreSamples.START)),
                                        Stream.of(TestKey.ANCHOR.active(Purpose.ANCHOR, StoreSamples.START)))
                                .toList())
                .toString();
    }

    static String docs(String vectors, String file) {
        Path here = Path.of("").toAbsolutePath();
        Path docs = Files.isDirectory(here.resolve("docs")) ? here.resolve("docs") : here.resolveSibling("docs");
        return docs.resolve(vectors).resolve(file).toString();
    }

    static List<PolicyEvent> rows() {
        List<PolicyEvent> rows = new ArrayList<>();
        EventPage page = STORE.eventLog().page(USER, EventQuery.all());
        rows.addAll(page.rows());
        while (page.nextCursor() != null) {
            page = STORE.eventLog()
                    .page(USER, EventQuery.all().after(page.nextCursor()).orElseThrow());
            rows.addAll(page.rows());
        }
        return rows;
    }

    static PolicyEvent last() {
        List<PolicyEvent> rows = rows();
        return rows.get(rows.size() - 1);
    }

    static String json(List<PolicyEvent> rows) {
        return rows.stream()
                .map(row -> {
                    StringBuilder out = new StringBuilder();
                    RowJson.append(out, row);
                    return out.toString();
                })
                .collect(Collectors.joining(",\n", "[", "]"));
    }

    /** The first row of the page of the vectors. */
    static String firstRows(String page) {
        int begin = page.indexOf('{', page.indexOf("\"events\""));
        return page.substring(begin, page.indexOf("}, {", begin) + 1);
    }

    static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Retry-After", "1");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
