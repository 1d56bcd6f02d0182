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
        return violations(tab, "");
    }

    /** What of it hangs on colours: all that another colour scheme changes of a page that was checked whole in one. */
    static List<String> violationsOfColours(Tab tab) {
        return violations(tab, ", runOnly: ['color-contrast', 'link-in-text-block']");
    }

    private static List<String> violations(Tab tab, String options) {
        if (!tab.is("globalThis.axe")) {
            tab.evaluate(SCRIPT + ";0");
        }
        JsonNode found = tab.evaluate("""
                axe.run(document, {resultTypes: ['violations']%s}).then((r) => r.violations
                  .filter((v) => ['serious', 'critical'].includes(v.impact))
                  .flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.html.slice(0, 160) + ' ' + n.failureSummary)))""".formatted(options));
        return found.valueStream().map(JsonNode::asString).toList();
    }
}
