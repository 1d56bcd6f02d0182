package dev.agentpolicy.domain.event.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Notes, keys, checkpoints and cosignatures as C2SP describes them. */
class SignedNoteTest {
    private static final SignatureCheck CHECK = SignatureCheck.ofJdk();
    private static final Instant NOW = Instant.parse("2026-11-27T20:00:00Z");
    /** The example of the specification. */
    private static final String EXAMPLE = """
            This is an example message.

            \u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
            """;

    private static final VerifierKey FOO = VerifierKey.read(
                    "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
            .orElseThrow();
    private static final VerifierKey LOG = VerifierKey.of("example.com/log", VerifierKey.ED25519, TestKey.ONE.x());
    private static final VerifierKey WITNESS =
            VerifierKey.of("witness.example/w1", VerifierKey.COSIGNATURE, TestKey.TWO.x());

    @Test
    void the_example_of_the_specification_is_verified() {
        SignedNote note = SignedNote.read(EXAMPLE).orElseThrow();

        assertThat(note.verify(List.of(FOO), CHECK).orElseThrow()).containsOnlyKeys(FOO);
        assertThat(note.note()).isEqualTo(EXAMPLE);
        assertThat(FOO.text()).isEqualTo("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k");
    }

    @Test
    void checkpoints_of_every_size_made_by_others_are_verified() {
        for (int size = 0; size <= 15; size++) {
            SignedNote note = TesseraLog.note(size);

            assertThat(note.verify(List.of(FOO, TesseraLog.KEY), CHECK).orElseThrow())
                    .containsOnlyKeys(TesseraLog.KEY);
            assertThat(TesseraLog.checkpoint(size).size()).isEqualTo(size);
            assertThat(TesseraLog.checkpoint(size).text()).isEqualTo(note.text());
        }
    }

    @Test
    void unknown_keys_are_ignored_and_a_forged_signature_of_a_known_key_refuses_the_note() {
        SignedNote note = SignedNote.read(EXAMPLE.replace("example message", "exemplary message"))
                .orElseThrow();

        assertThat(note.verify(List.of(LOG), CHECK).orElseThrow()).isEmpty();
        assertThat(note.verify(List.of(FOO), CHECK).problems())
                .singleElement()
                .hasToString("Problem[field=note, message=The signature of example.com/foo is not right.]");
    }

    @Test
    void a_cosignature_binds_the_checkpoint_to_its_time() {
        String text = new Checkpoint("example.com/log", 3, "RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=").text();
        SignedNote signed = new SignedNote(text, List.of(LOG.sign(text, NOW, TestKey.ONE::sign)))
                .with(WITNESS.sign(text, NOW, TestKey.TWO::sign));
        SignedNote read = SignedNote.read(signed.note()).orElseThrow();

        assertThat(read.verify(List.of(WITNESS, LOG), CHECK).orElseThrow())
                .isEqualTo(Map.of(LOG, Instant.EPOCH, WITNESS, NOW));
        String message = "cosignature/v1\ntime 1795809600\n" + text;
        assertThat(CHECK.isSignedBy(TestKey.TWO.x(), message, TestKey.TWO.sign(message)))
                .isTrue();
        assertThat(WITNESS.sign(text, NOW, said -> {
                    assertThat(said).isEqualTo(message);
                    return TestKey.TWO.sign(said);
                }))
                .isEqualTo(read.signatures().get(1));
        SignedNote another = new SignedNote(text.replace("\n3\n", "\n4\n"), read.signatures());
        assertThat(another.verify(List.of(WITNESS), CHECK).isRead()).isFalse();
        SignedNote byAnother = new SignedNote(text, List.of(WITNESS.sign(text, NOW, TestKey.ONE::sign)));
        assertThat(byAnother.verify(List.of(WITNESS), CHECK).isRead()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n",
                "text\n",
                "text\n\n",
                "text\n\n\u2014 a AAAAAAA=",
                "text\n\n\u2014 a AAAAAAA=\n\n",
                "text\n\n- a AAAAAAA=\n",
                "text\n\n\u2014 a b AAAAAAA=\n",
                "text\n\n\u2014 a+b AAAAAAA=\n",
                "text\n\n\u2014 a AAAAAAA\n",
                "text\n\n\u2014 a AAAA\n",
                "text\n\n\u2014 a AAAAAAB=\n",
                "text\n\n\u2014  AAAAAAA=\n",
                "te\txt\n\n\u2014 a AAAAAAA=\n",
                "text\r\n\n\u2014 a AAAAAAA=\n"
            })
    void a_text_of_another_form_is_no_note(String text) {
        assertThat(SignedNote.read(text).isRead()).isFalse();
    }

    @Test
    void a_note_with_more_signatures_than_are_read_is_refused() {
        String line = "\u2014 a AAAAAAA=\n";

        assertThat(SignedNote.read("text\n\n" + line.repeat(100)).isRead()).isTrue();
        assertThat(SignedNote.read("text\n\n" + line.repeat(101)).isRead()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.com/foo",
                "example.com/foo+530d903a",
                "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/fo\u00a0o+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
                "example.com/foo+530d903a+Aeky",
                "example.com/foo+530d903a+AQ==",
                "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k+"
            })
    void a_key_of_another_form_is_no_key(String text) {
        assertThat(VerifierKey.read(text).isRead()).isFalse();
    }

    @Test
    void a_name_has_no_blank_of_unicode_no_control_character_and_no_plus_sign() {
        String refused = IntStream.rangeClosed(0, Character.MAX_VALUE)
                .filter(c -> !VerifierKey.isName("a" + (char) c + "b"))
                .mapToObj(Integer::toHexString)
                .collect(Collectors.joining(" "));

        assertThat(refused)
                .isEqualTo(
                        IntStream.rangeClosed(0, 0x20)
                                        .mapToObj(Integer::toHexString)
                                        .collect(Collectors.joining(" "))
                                + " 2b 85 a0 1680 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009 200a 2028 2029 202f 205f 3000");
        assertThat(VerifierKey.isName("")).isFalse();
        assertThat(VerifierKey.isName("a\ud83d\ude00b")).isTrue();
    }

    @Test
    void a_key_of_an_unknown_type_is_read_and_verifies_nothing() {
        VerifierKey unknown =
                VerifierKey.read("witness.example/pq+00112233+Bqq7zA==").orElseThrow();
        SignedNote note = new SignedNote("text\n", List.of(new NoteSignature("witness.example/pq", "ABEiM6q7zA==")));

        assertThat(unknown.isVerifiable()).isFalse();
        assertThat(note.verify(List.of(unknown), CHECK).orElseThrow()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a\n1\n",
                "a\n01\nRcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=\n",
                "a\n-1\nRcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=\n",
                "a\n9223372036854775808\nRcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=\n",
                "a\n1\nRcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl1=\n",
                "a\n1\nRcCI\n",
                "\n1\nRcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=\n",
                "a\n1\nRcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=",
                "a\n1\nRcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=\n\nmore\n"
            })
    void a_text_of_another_form_is_no_checkpoint(String text) {
        assertThat(Checkpoint.read(text).isRead()).isFalse();
    }

    @Test
    void a_checkpoint_with_further_lines_is_read_without_them() {
        assertThat(Checkpoint.read("a\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\nmore\n")
                        .orElseThrow())
                .isEqualTo(Checkpoint.of("a", new LogTree(0, (level, index) -> new byte[0])));
        assertThatThrownBy(() -> new Checkpoint("", 0, "")).isInstanceOf(IllegalArgumentException.class);
    }
}
