package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/** The policies and keys in a log: versions have no gap, and a key is revoked only once. */
final class ChangeHistory {
    private final Map<String, JsonNode> keys = new HashMap<>();
    private final Map<String, Integer> versions = new HashMap<>();
    private int lastVersion;

    /** The name of a row of a change, of which there is one at most. */
    String statement(JsonNode row) {
        JsonNode payload = row.get("payload");
        assertThat(payload.get("previousIpsVersion").intValue())
                .describedAs("%s", row)
                .isEqualTo(lastVersion);
        assertThat(payload.get("ipsVersion").intValue()).describedAs("%s", row).isEqualTo(++lastVersion);
        String name =
                name(row, payload.get("document").get("standingRules").get(0).get("reason"));
        versions.put(name, lastVersion);
        return name;
    }

    /** The same of a key. */
    String key(JsonNode row) {
        JsonNode before = keys.put(id(row), row);
        assertThat(before == null).describedAs("%s", row).isEqualTo(type(row).equals("key.minted"));
        assertThat(before != null && isRevoked(before))
                .describedAs("after its end: %s", row)
                .isFalse();
        return name(row, row.get("payload").get("name"));
    }

    /** The version in force. */
    int lastVersion() {
        return lastVersion;
    }

    /** The version that a row of a name made; null when there is none. */
    Integer versionOf(String name) {
        return versions.get(name);
    }

    /** The last row of each key, by its id. */
    Map<String, JsonNode> keys() {
        return keys;
    }

    static boolean isRevoked(JsonNode row) {
        return type(row).equals("key.revoked");
    }

    static String type(JsonNode row) {
        return row.get("eventType").textValue();
    }

    private static String id(JsonNode row) {
        return row.get("payload").get("agentKeyId").textValue();
    }

    private static String name(JsonNode row, JsonNode what) {
        return NumberedCall.name(type(row), what.textValue());
    }
}
