package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.anchor.AnchorNote;
import dev.agentpolicy.domain.event.anchor.MerkleTree;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.chain.RowJson.RowText;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed rows, heads, rotations and cursors are refused. */
class ReadingRowsTest {
    private static final TestChain CHAIN = TestChain.ofDecisions(2);
    private static final PolicyEvent ROW = CHAIN.rows().get(1);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v",
                "userId",
                "seq",
                "eventId",
                "eventType",
                "createdAt",
                "payload",
                "payloadHash",
                "prevHash",
                "signingKeyId",
                "hash",
                "signature"
            })
    void a_row_without_one_of_its_members_is_refused(String name) {
        assertThat(row(members -> members.remove(name))).containsExactly(name + " is missing.");
    }

    @Test
    void a_payload_is_an_object_of_the_profile_or_null() {
        assertThat(row(members -> members.put("payload", null))).isEmpty();
        assertThat(row(members -> members.put("payload", "text")))
                .containsExactly("payload must be an object or null.");
        assertThat(row(members -> members.put("payload", Document.of(Map.of("a", new BigDecimal("0.5"))))))
                .containsExactly("payload has no canonical form: The value of a must be an integer of at most 2^53-1;"
                        + " decimals are written as text.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v", "userId", "seq", "hash", "issuedAt", "signingKeyId", "signature"})
    void a_head_without_one_of_its_members_is_refused(String name) {
        StringBuilder json = new StringBuilder();
        SignedHead.issue(CHAIN.head(), TestChain.START, TestKey.ONE.keyId(), TestKey.ONE::sign)
                .appendJson(json);
        Map<String, @Nullable Object> members =
                new HashMap<>(TestJson.object(json.toString()).members());
        members.remove(name);

        assertThat(problems(SignedHead.read(Document.of(members)))).containsExactly(name + " is missing.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"salt", "oldKeyId", "newKeyId", "newPublicKey", "reason", "newKeyProof", "trustedThroughSeq"})
    void an_emergency_without_one_of_its_members_is_refused(String name) {
        SigningKey next = TestKey.TWO.active(Purpose.EVENT, TestChain.START);
        Map<String, @Nullable Object> members =
                new HashMap<>(KeyRotation.emergency(CHAIN.head(), TestKey.ONE.keyId(), next, 2, TestKey.TWO::sign)
                        .draft()
                        .payload());
        members.put("salt", TestChain.SALT);
        members.put("trustedThroughSeq", BigDecimal.valueOf(2));
        assertThat(problems(KeyRotation.read(Document.of(members)))).isEmpty();

        members.remove(name);

        assertThat(problems(KeyRotation.read(Document.of(members)))).containsExactly(name + " is missing.");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            1, 1
            9, 9
            10, 10
            9007199254740991, 9007199254740991
            9007199254740992, -1
            10000000000000000, -1
            0, -1
            01, -1
            '', -1
            1x, -1
            /1, -1
            1:, -1
            -1, -1
            """)
    void a_cursor_names_a_possible_row(String digits, long seq) {
        EventQuery query = EventQuery.all();
        String cursor = Base64Url.encode(("1|asc|||" + digits).getBytes(StandardCharsets.UTF_8));

        assertThat(query.after(cursor)).isEqualTo(seq < 0 ? Optional.empty() : Optional.of(query.after(seq)));
    }

    @Test
    void the_longest_possible_cursor_is_read() {
        EventQuery query = new EventQuery(
                1,
                Direction.DESC,
                Optional.of(EventKind.DRIFT_DETECTED),
                Optional.of(TestChain.START),
                OptionalLong.empty());

        assertThat(query.after(query.cursor(CanonicalForm.MAX_INTEGER)))
                .contains(query.after(CanonicalForm.MAX_INTEGER));
    }

    @Test
    void a_row_that_is_cut_off_anywhere_is_not_read() {
        String text = bytes(ROW);
        for (int i = 0; i < text.length(); i++) {
            assertThat(RowText.at(text.substring(0, i), 0)).as("after %s", i).isNull();
        }
        assertThat(RowText.at(text, 0)).isEqualTo(new RowText(ROW, text.length()));
    }

    @Test
    void every_member_of_a_row_is_in_its_own_form() {
        String text = bytes(ROW);
        for (String name :
                List.of("payloadHash", "prevHash", "hash", "signingKeyId", "signature", "eventId", "userId")) {
            int place = text.indexOf("\"" + name + "\":\"") + name.length() + 4;
            String changed = text.substring(0, place) + "!" + text.substring(place + 1);
            assertThat(RowText.at(changed, 0)).as(name).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            1, true
            9, true
            10, true
            9007199254740991, true
            9007199254740992, false
            99999999999999999, false
            0, false
            02, false
            '', false
            1/, false
            1:, false
            """)
    void the_number_of_a_row_is_in_range(String digits, boolean isRead) {
        String changed = bytes(ROW).replace("\"seq\":2,", "\"seq\":" + digits + ",");

        assertThat(RowText.at(changed, 0) != null).isEqualTo(isRead);
    }

    @Test
    void the_root_of_a_note_is_that_of_its_tree_in_base64() {
        MerkleTree tree = MerkleTree.empty();

        assertThat(AnchorNote.root(tree)).isEqualTo("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        assertThat(tree.size()).isZero();
    }

    private static String bytes(PolicyEvent row) {
        StringBuilder out = new StringBuilder();
        RowJson.append(out, row);
        return RowText.bytes(out.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> row(Consumer<Map<String, @Nullable Object>> change) {
        Map<String, @Nullable Object> members = new HashMap<>(CHAIN.wire().get(1));
        change.accept(members);
        return problems(RowJson.read(Document.of(members)));
    }

    private static List<String> problems(Reading<?> reading) {
        return reading.problems().stream().map(Problem::message).toList();
    }
}
