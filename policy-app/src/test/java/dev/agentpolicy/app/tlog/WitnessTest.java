package dev.agentpolicy.app.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A witness that other services ask. */
class WitnessTest {
    private static final String NAME = "alice.example/witness";
    private static final Pattern CASE = Pattern.compile("POST [^\n]+\n```\n(.*?)```\nHTTP ([0-9]{3})", Pattern.DOTALL);
    private static final TestKey KEY = TestKey.of("0a".repeat(32));
    private static final VerifierKey LOG = VerifierKey.of("policy.example/tlog", VerifierKey.ED25519, KEY.x());

    @TempDir
    private Path folder;

    private Witness witness(VerifierKey... logs) {
        return new Witness(folder, NAME, List.of(logs), Clock.systemUTC());
    }

    private static VerifierKey logOfTorchwood() {
        byte[] key = HexFormat.of().parseHex("ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f");
        return VerifierKey.of(
                "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562",
                VerifierKey.ED25519,
                Base64Url.encode(key));
    }

    @Test
    void the_cases_of_torchwood_have_the_statuses_that_it_expects() throws Exception {
        String cases = new String(
                Objects.requireNonNull(WitnessTest.class.getResourceAsStream("/tlog/torchwood/add-checkpoint.hurl"))
                        .readAllBytes(),
                StandardCharsets.UTF_8);
        Witness witness = witness(logOfTorchwood());
        List<Integer> expected = new ArrayList<>();
        List<Integer> answered = new ArrayList<>();

        Matcher each = CASE.matcher(cases);
        while (each.find()) {
            boolean isOfUnknownLog = each.group(1).contains("9e563\n");
            expected.add(isOfUnknownLog ? 404 : Integer.parseInt(each.group(2)));
            answered.add(witness.add(each.group(1)).status());
        }

        assertThat(answered).isEqualTo(expected).hasSize(9);
    }

    private static String request(long old, String text) {
        return "old " + old + "\n\n"
                + new SignedNote(text, List.of(LOG.sign(text, Clock.systemUTC().instant(), KEY::sign))).note();
    }

    private static String checkpoint(long size, String root) {
        return new Checkpoint(LOG.name(), size, Base64.getEncoder().encodeToString(Sha256.of(root))).text();
    }

    @Test
    void what_was_cosigned_is_shown_and_never_forgotten_by_a_restart() throws Exception {
        String text = checkpoint(7, "seven");
        Witness first = witness(LOG);
        assertThat(first.checkpoint(Sha256.hex(LOG.name())).status()).isEqualTo(404);

        Witness.Answer answer = first.add(request(0, text));

        assertThat(answer.status()).isEqualTo(200);
        SignedNote cosigned = SignedNote.read(text + "\n" + answer.body()).orElseThrow();
        assertThat(cosigned.verify(List.of(first.key()), SignatureCheck.ofJdk()).orElseThrow())
                .hasSize(1);
        Witness second = witness(LOG);
        assertThat(second.key()).isEqualTo(first.key());
        assertThat(second.checkpoint(Sha256.hex(LOG.name())).body())
                .startsWith(text)
                .endsWith(answer.body());
        assertThat(second.add(request(0, text))).isEqualTo(new Witness.Answer(409, "7\n"));
        assertThat(second.add(request(7, checkpoint(7, "other"))).status()).isEqualTo(422);
        assertThat(second.add(request(7, text)).status()).isEqualTo(200);
        assertThat(second.add(request(7, checkpoint(6, "six"))).status()).isEqualTo(400);
        assertThat(second.add(request(0, checkpoint(0, "not empty"))).status()).isEqualTo(409);
        assertThat(second.add("old 7\n").status()).isEqualTo(400);
    }

    @Test
    void an_empty_log_has_the_root_of_nothing() throws Exception {
        assertThat(witness(LOG).add(request(0, checkpoint(0, "not empty"))).status())
                .isEqualTo(422);
        assertThat(witness(LOG).add(request(0, checkpoint(0, ""))).status()).isEqualTo(200);
    }

    @Test
    void a_damaged_file_is_refused_since_a_witness_must_not_forget() throws IOException {
        witness(LOG).add(request(0, checkpoint(7, "seven")));
        Path file = folder.resolve(Sha256.hex(LOG.name()) + ".checkpoint");
        Files.writeString(file, Files.readString(file).replace("\n7\n", "\n6\n"));

        assertThatExceptionOfType(CannotStart.class).isThrownBy(() -> witness(LOG));
        assertThatExceptionOfType(CannotStart.class).isThrownBy(() -> witness(LOG, LOG));
    }
}
