package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.SignedHead;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every verifier compares the heads of all pages with the rows (docs/reference/events.md, The head). */
class PageHeadsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path VECTORS = Path.of("../docs/vectors");
    private static final Instant NINE = Instant.parse("2026-11-22T09:00:00Z");

    @TempDir
    private Path folder;

    private ObjectNode first;
    private ObjectNode second;

    @BeforeEach
    void twoPages() throws Exception {
        first = (ObjectNode) JSON.readTree(Files.readString(VECTORS.resolve("events.json")));
        second = first.deepCopy();
        for (int i = 0; i < 3; i++) {
            first.withArray("events").remove(3);
            second.withArray("events").remove(0);
        }
    }

    @Test
    void heads_that_agree_are_accepted_whichever_key_signed_them() throws Exception {
        first.set("head", head(3, hash(first, 2), NINE, TestKey.ONE));
        second.set("head", head(6, hash(second, 2), NINE.plusSeconds(1), TestKey.TWO));
        said("ok 6 rows, head " + hash(second, 2));

        first.set("head", head(6, hash(second, 2), NINE, TestKey.TWO));
        said("ok 6 rows, head " + hash(second, 2));
    }

    @Test
    void a_head_on_the_way_that_nobody_signed_is_refused() throws Exception {
        ((ObjectNode) first.get("head")).put("issuedAt", "2026-11-22T09:00:00.000000Z");
        said("broken at seq 6: the head is not signed by a key of this manifest");

        first.set("head", head(3, hash(first, 2), NINE, TestKey.STRANGER));
        said("broken at seq 3: the head is not signed by a key of this manifest");
    }

    @Test
    void a_head_on_the_way_that_is_behind_its_page_is_refused() throws Exception {
        first.set("head", head(2, hash(first, 1), NINE, TestKey.ONE));
        said("broken at seq 2: the head is behind the rows");
    }

    @Test
    void a_head_on_the_way_of_another_history_is_refused() throws Exception {
        first.set("head", head(3, "0".repeat(64), NINE, TestKey.ONE));
        said("broken at seq 3: the head has another hash than the (last )?row");

        first.set("head", head(4, "0".repeat(64), NINE, TestKey.ONE));
        said("broken at seq 4: the (head has another hash than the row|row is not the one that a head named before)");
    }

    @Test
    void a_chain_cut_off_while_its_pages_were_read_is_found() throws Exception {
        first.set("head", head(6, hash(second, 2), NINE, TestKey.TWO));
        second.set("head", head(5, hash(second, 1), NINE.plusSeconds(1), TestKey.TWO));
        second.withArray("events").remove(2);

        said("broken at seq 6: the chain ends here, but a head before named a later row");
    }

    private void said(String verdict) throws Exception {
        String pages = JSON.createArrayNode().add(first).add(second).toString();
        assertThat(Verifiers.ALL.verdicts(folder, pages, Files.readString(VECTORS.resolve("signing-keys.json"))))
                .isNotEmpty()
                .allMatch(said -> said.matches("(?i)" + verdict + "[.]?"));
    }

    private static String hash(ObjectNode page, int place) {
        ArrayNode rows = page.withArray("events");
        return rows.get(place).get("hash").textValue();
    }

    private JsonNode head(long seq, String hash, Instant issuedAt, TestKey key) throws Exception {
        UUID user =
                UUID.fromString(first.withArray("events").get(0).get("userId").textValue());
        StringBuilder out = new StringBuilder();
        SignedHead.issue(new ChainHead(new UserId(user), seq, hash, issuedAt), issuedAt, key.keyId(), key::sign)
                .appendJson(out);
        return JSON.readTree(out.toString());
    }
}
