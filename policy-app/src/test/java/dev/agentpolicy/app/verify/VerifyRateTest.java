package dev.agentpolicy.app.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.adapter.signing.TinkSignatureCheck;
import dev.agentpolicy.app.Main;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RowJson;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.InMemorySealedKeys;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * A long chain verified by the command in a process of its own, with Conscrypt and without. With
 * {@code -Dverify.rows=100000} each has one processor and verifies several times, since the first time is in part that of
 * the compiler; the figures are those of docs/verify.md (How fast).
 */
class VerifyRateTest extends VerifyBench {
    private static final int PAGE = 500;
    private static final int FEW = 2_000;
    private static final int CHECKS = 20_000;
    /** As long as what is signed of a row. */
    private static final int MESSAGE = 91;

    private static final String SIGNATURES = " signatures/s alone";
    private static final int TIMES = 4;
    private static final String RATE = "[0-9]+ rows in [0-9.]+ s, [0-9]+ rows/s";
    private static final double NANOS = 1e9;

    @Test
    void a_long_chain_is_verified_at_a_rate_that_is_said() throws Exception {
        int rows = Integer.getInteger("verify.rows", FEW);
        InMemorySealedKeys sealed = new InMemorySealedKeys();
        KeyRing ring = KeyRing.open(folder.resolve("master-key.json"), sealed, CLOCK.instant());
        Path events = written(rows, ring.signer(Purpose.EVENT).current());
        Path keys = ExportedPages.keys(folder, ring.signer(Purpose.ANCHOR), sealed.all());
        System.out.printf("%d rows, %d MB%n", rows, Files.size(events) / 1_000_000);

        for (String without : List.of("", "conscrypt")) {
            List<String> said = said(without, events, keys);
            System.out.println(without.isEmpty() ? "with Conscrypt" : "pure Java");
            said.stream()
                    .filter(line -> line.matches(RATE) || line.endsWith(SIGNATURES))
                    .forEach(System.out::println);
            assertThat(said).anyMatch(line -> line.startsWith("ok " + rows + " rows"));
            assertThat(said.get(said.size() - 1)).startsWith(rows + " rows").matches(RATE);
        }
    }

    /** What each process does that is measured: signatures alone, which no verifier can outrun, then the command. */
    public static void main(String[] arguments) {
        signatures();
        signatures();
        for (int i = 0; i < TIMES; i++) {
            int code = new CommandLine(new VerifyCommand(Map.of())).execute(arguments);
            if (code != 0) {
                System.exit(code);
            }
        }
    }

    private static void signatures() {
        TinkSignatureCheck check = new TinkSignatureCheck();
        String message = "m".repeat(MESSAGE);
        String signature = TestKey.ONE.sign(message);
        long begun = System.nanoTime();
        for (int i = 0; i < CHECKS; i++) {
            assertThat(check.isSignedBy(TestKey.ONE.x(), message, signature)).isTrue();
        }
        System.out.printf("%.0f%s%n", CHECKS / ((System.nanoTime() - begun) / NANOS), SIGNATURES);
    }

    /** The rows of random days again and again, in one chain. */
    private Path written(int count, EventSigner signer) throws IOException {
        Path file = folder.resolve("long.json");
        List<PolicyEvent> days = rows();
        ChainHead head = ChainHead.genesis(USER);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int begun = 0; begun < count; begun += PAGE) {
                StringBuilder page = new StringBuilder(begun == 0 ? "[" : ",\n").append("{\"events\":[");
                for (int i = begun; i < Math.min(count, begun + PAGE); i++) {
                    PolicyEvent row = again(head, days.get(i % days.size()), signer);
                    RowJson.append(i == begun ? page : page.append(','), row);
                    head = ChainHead.after(row);
                }
                page.append("],\"nextCursor\":null,\"head\":");
                SignedHead.issue(head, CLOCK.instant(), signer.keyId(), signer::sign)
                        .appendJson(page);
                out.append(page.append('}'));
            }
            out.append("]");
        }
        return file;
    }

    private static PolicyEvent again(ChainHead head, PolicyEvent row, EventSigner signer) {
        Document payload = CanonicalForm.read(row.payload());
        Map<String, @Nullable Object> members = new HashMap<>(payload.members());
        String salt = String.valueOf(members.remove("salt"));
        return EventChain.next(
                head,
                new EventDraft(row.kind(), members),
                UUID.randomUUID(),
                salt,
                row.createdAt(),
                signer.keyId(),
                signer::sign);
    }

    private List<String> said(String without, Path events, Path keys) throws Exception {
        String classes = Stream.of(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .split(File.pathSeparator))
                .filter(entry -> without.isEmpty() || !entry.contains(without))
                .collect(Collectors.joining(File.pathSeparator));
        boolean isMeasured = Integer.getInteger("verify.rows") != null;
        List<String> command = new ArrayList<>(isMeasured ? List.of("taskset", "-c", "0") : List.of());
        command.addAll(
                List.of(ProcessHandle.current().info().command().orElseThrow(), "-XX:+UseSerialGC", "-cp", classes));
        command.addAll(isMeasured ? List.of(VerifyRateTest.class.getName()) : List.of(Main.class.getName(), "verify"));
        command.addAll(List.of(events.toString(), keys.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).describedAs(said).isZero();
        return said.strip().lines().toList();
    }
}
