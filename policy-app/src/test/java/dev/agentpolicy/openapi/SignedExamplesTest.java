package dev.agentpolicy.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RowJson;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The signed examples of the description are genuine: its keys verify its rows. */
class SignedExamplesTest {
    private static final String VALUE_OF = "/responses/200/content/application~1json/examples/";
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.load();
    private static final SignatureCheck CHECK = SignatureCheck.ofJdk();

    @Test
    void the_rows_and_the_head_of_the_first_page_are_signed_by_keys_of_the_manifest() {
        SigningKeyManifest manifest = SigningKeyManifest.read(document(example("signing-keys", "manifest")))
                .orElseThrow();
        JsonNode page = example("policy/events", "firstPage");
        List<PolicyEvent> rows = new ArrayList<>();
        page.get("events").forEach(row -> rows.add(RowJson.read(document(row)).orElseThrow()));
        SignedHead head = SignedHead.read(document(page.get("head"))).orElseThrow();
        ChainPoint start = ChainPoint.pinned(rows.get(0).userId(), rows.get(0).signingKeyId());
        SigningKey signer = manifest.keys().stream()
                .filter(key -> key.kid().equals(head.signingKeyId()))
                .findFirst()
                .orElseThrow();

        assertThat(EventChain.verify(start, rows, manifest.keys(), SigningKey.Purpose.EVENT, CHECK)
                        .isIntact())
                .isTrue();
        assertThat(CHECK.isSignedBy(signer.x(), head.message(), head.signature()))
                .isTrue();
        assertThat(manifest.isSigned(CHECK)).isTrue();
    }

    private static JsonNode example(String path, String name) {
        Operation operation = DOCUMENT.operation("GET", "/api/agent/v1/" + path).orElseThrow();
        return operation.node().at(VALUE_OF + name + "/value");
    }

    private static Document document(JsonNode object) {
        Map<String, Object> members = new LinkedHashMap<>();
        object.properties().forEach(member -> members.put(member.getKey(), value(member.getValue())));
        return Document.of(members);
    }

    private static Object value(JsonNode node) {
        if (node.isObject()) {
            return document(node);
        }
        if (node.isArray()) {
            List<Object> items = new ArrayList<>();
            node.forEach(item -> items.add(value(item)));
            return items;
        }
        return node.isNumber()
                ? node.decimalValue()
                : node.isBoolean() ? node.booleanValue() : node.isNull() ? null : node.asString();
    }
}
