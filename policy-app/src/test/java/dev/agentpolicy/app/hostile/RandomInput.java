package dev.agentpolicy.app.hostile;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes valid input at random, a little or a lot. Each character of a text is one byte. */
final class RandomInput {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String HOLE = "a hole in the body";

    /** What stands where a value should. */
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-0",
            "-1",
            "1e999",
            "1E-999",
            "1e-8",
            "NaN",
            "Infinity",
            "-Infinity",
            "0x10",
            "01",
            "1.",
            "99999999999999999999999999999999999999",
            "9".repeat(400),
            "0." + "0".repeat(300) + "1",
            "1000000000000.00000001",
            "\"\"",
            "\" \"",
            "\"1\"",
            "\"" + "x".repeat(5_000) + "\"",
            "\"\\ud800\"",
            "\"\\udc00\\ud800\"",
            "\"\\u0000\"",
            "\"\\u202e\\u2028\\u0085\"",
            "\"\u00f0\u009f\u0094\u0091\"",
            "\"\u00ff\u00fe\"",
            "\"\u00c0\u00af\"",
            "\"\u00ed\u00a0\u0080\"",
            "\"\n\"",
            "\"\\x\"",
            "[]",
            "{}",
            "[null]",
            "[[]]",
            "{\"\":{}}",
            "{\"a\":1,\"a\":2}",
            "{\"__proto__\":{}}",
            "[".repeat(31) + "]".repeat(31),
            "[".repeat(3_000),
            "{\"a\":".repeat(40) + "1" + "}".repeat(40),
            "",
            ",",
            "}",
            "]",
            "\"",
            "'x'",
            "/* */1",
            "1 2",
            "undefined",
            "\u0000",
            "\u00ef\u00bb\u00bf1");

    /** What stands where a parameter, a part of a path or the value of a header should. */
    static final List<String> TEXTS = List.of(
            "",
            "0",
            "-1",
            "1",
            "501",
            "2147483648",
            "99999999999999999999",
            "1e3",
            "0x1",
            "abc",
            "null",
            "true",
            "TRUE",
            "asc",
            "ASC",
            "pending",
            "ips.created",
            "2026-11-21T09:40:00Z",
            "2026-13-40T00:00:00Z",
            "-999999999-01-01T00:00:00Z",
            "+999999999-12-31T23:59:59.999999999Z",
            "2026-11-21T09:40:00.123456789%2B23:59",
            "00000000-0000-0000-0000-000000000000",
            "%00",
            "%0d%0aSet-Cookie:%20a=b",
            "%F0%9F%94%91",
            "%ff%fe",
            "%",
            "%zz",
            "%u0041",
            "%c0%af",
            "..%2f..%2fetc%2fpasswd",
            "..",
            ".",
            "...",
            "%2e%2e",
            "a;b=c",
            "a%3bb",
            "%5c",
            "a+b%20c",
            "%27%20OR%201=1--",
            "$%7bjndi:ldap://x%7d",
            "x".repeat(2_000),
            "MXxhc2N8fHwy",
            "MXxhc2N8fHwyMXxhc2N8fHwy",
            "%252e%252e%252f",
            "1,2",
            "a&limit=1&limit=2",
            "=",
            "[]",
            "\u00e9",
            "\u0080");

    private final Random random;

    RandomInput(long seed) {
        this.random = new Random(seed);
    }

    RandomGenerator random() {
        return random;
    }

    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** A right body with some of its values replaced, left out, repeated or put elsewhere; at times bytes are changed. */
    String body(String right) {
        if (oneIn(6)) {
            return right;
        }
        JsonNode tree = JSON.readTree(right);
        List<String> holes = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            spoil(tree, holes);
        }
        String text = new String(tree.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        for (String value : holes) {
            text = text.replaceFirst('"' + HOLE + '"', Matcher.quoteReplacement(value));
        }
        return oneIn(4) ? bytes(text, 1 + random.nextInt(3)) : text;
    }

    /** Goes down by chance, and spoils what it comes to. */
    private void spoil(JsonNode node, List<String> holes) {
        if (node.isEmpty()) {
            return;
        }
        if (node instanceof ObjectNode object) {
            String name = any(List.copyOf(object.propertyNames()));
            if (object.get(name).isContainer() && !oneIn(3)) {
                spoil(object.get(name), holes);
            } else {
                spoil(object, name, holes);
            }
        } else if (node instanceof ArrayNode array) {
            int index = random.nextInt(array.size());
            if (array.get(index).isContainer() && !oneIn(3)) {
                spoil(array.get(index), holes);
            } else {
                array.set(index, hole(holes));
            }
        }
    }

    private void spoil(ObjectNode object, String name, List<String> holes) {
        switch (random.nextInt(4)) {
            case 0 -> object.remove(name);
            case 1 ->
                object.set(
                        any(List.of(name.toUpperCase(Locale.ROOT), "", "a\u0000b", "x".repeat(300), name + " ")),
                        object.get(name));
            default -> object.set(name, JSON.getNodeFactory().stringNode(hole(holes)));
        }
    }

    private String hole(List<String> holes) {
        holes.add(any(VALUES));
        return HOLE;
    }

    /** Some bytes left out, put in, changed or repeated. */
    String bytes(String right, int changes) {
        StringBuilder bytes = new StringBuilder(right);
        for (int i = 0; i < changes && !bytes.isEmpty(); i++) {
            int at = random.nextInt(bytes.length());
            int end = Math.min(bytes.length(), at + 1 + random.nextInt(8));
            switch (random.nextInt(5)) {
                case 0 -> bytes.delete(at, end);
                case 1 -> bytes.insert(at, (char) random.nextInt(256));
                case 2 -> bytes.setCharAt(at, (char) random.nextInt(256));
                case 3 -> bytes.insert(at, bytes.substring(at, end).repeat(1 + random.nextInt(5)));
                default ->
                    bytes.insert(at, any(List.of("\r\n", "\n", "\r\n\r\n", "\0", ": ", " ", "\t", "%", "\u00ff", ",")));
            }
        }
        return bytes.toString();
    }
}
