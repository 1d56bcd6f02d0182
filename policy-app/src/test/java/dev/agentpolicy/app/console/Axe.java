package dev.agentpolicy.app.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** Checks pages for accessibility with axe. */
final class Axe {
    private static final String SCRIPT = script();

    private Axe() {}

    private static String script() {
        try (InputStream in = Axe.class.getResourceAsStream("/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** What axe finds that is serious or worse, with where it is. */
    static List<String> violations(Tab tab) {
        tab.evaluate(SCRIPT + ";0");
        JsonNode found = tab.evaluate("""
                axe.run(document, {resultTypes: ['violations']}).then((r) => r.violations
                  .filter((v) => ['serious', 'critical'].includes(v.impact))
                  .flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.html.slice(0, 160) + ' ' + n.failureSummary)))""");
        return found.valueStream().map(JsonNode::asString).toList();
    }
}
