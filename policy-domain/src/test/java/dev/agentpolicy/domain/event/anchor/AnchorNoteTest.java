package dev.agentpolicy.domain.event.anchor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.TestChain;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The note of an anchor (docs/verify.md, Anchors). */
class AnchorNoteTest {
    private static final AnchorNote NOTE = new AnchorNote(
            3,
            1,
            "bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=",
            Instant.parse("2026-11-21T09:40:00Z"),
            "0".repeat(64));

    @Test
    void it_is_a_checkpoint_with_the_signature_line_of_a_note() {
        String note = NOTE.signed(TestKey.ANCHOR.x(), TestKey.ANCHOR::sign);

        assertThat(note).startsWith("""
                agent-policy/anchor/v1
                1
                bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=
                number 3
                time 2026-11-21T09:40:00.000000Z
                previous 0000000000000000000000000000000000000000000000000000000000000000

                \u2014 agent-policy/anchor/v1""").endsWith("\n");
        assertThat(AnchorNote.read(note)).isEqualTo(NOTE);
        assertThat(NOTE.isSigned(note, TestKey.ANCHOR.x(), TestChain.CHECK)).isTrue();
    }

    @Test
    void a_note_that_was_changed_or_signed_by_another_is_not_signed() {
        String note = NOTE.signed(TestKey.ANCHOR.x(), TestKey.ANCHOR::sign);
        AnchorNote other = new AnchorNote(3, 2, NOTE.root(), NOTE.issuedAt(), NOTE.previous());

        assertThat(NOTE.isSigned(note, TestKey.ONE.x(), TestChain.CHECK)).isFalse();
        assertThat(NOTE.isSigned(
                        NOTE.signed(TestKey.ANCHOR.x(), TestKey.ONE::sign), TestKey.ANCHOR.x(), TestChain.CHECK))
                .isFalse();
        assertThat(other.isSigned(note, TestKey.ANCHOR.x(), TestChain.CHECK)).isFalse();
        assertThat(other.isSigned(note.replace("\n1\n", "\n2\n"), TestKey.ANCHOR.x(), TestChain.CHECK))
                .isFalse();
        assertThat(NOTE.isSigned(note.substring(0, note.length() - 20) + "\n", TestKey.ANCHOR.x(), TestChain.CHECK))
                .isFalse();
    }

    @Test
    void a_text_that_is_not_an_anchor_note_is_not_read() {
        String note = NOTE.signed(TestKey.ANCHOR.x(), TestKey.ANCHOR::sign);

        assertThat(AnchorNote.read("")).isNull();
        assertThat(AnchorNote.read(note.replace("number 3", "number x"))).isNull();
        assertThat(AnchorNote.read(note.replace("number 3", "n"))).isNull();
        assertThat(AnchorNote.read(note.replace("number 3", "number 03"))).isNull();
        assertThat(AnchorNote.read(note.replace("anchor/v1\n", "anchor/v2\n"))).isNull();
        assertThat(AnchorNote.read(note.replace("\nprevious", "\nextra\nprevious")))
                .isNull();
    }

    @Test
    void a_leaf_can_be_linked_to_its_chain_only_with_the_salt() {
        ChainHead head = new ChainHead(new UserId(UUID.randomUUID()), 5, "a".repeat(64), Instant.EPOCH);

        assertThat(AnchorNote.leaf("x", head))
                .doesNotContain(head.userId().toString())
                .contains("\"seq\":5");
        assertThat(AnchorNote.leaf("x", head)).isNotEqualTo(AnchorNote.leaf("y", head));
        assertThat(CanonicalForm.write(CanonicalForm.read(AnchorNote.leaf("x", head))))
                .isEqualTo(AnchorNote.leaf("x", head));
    }
}
