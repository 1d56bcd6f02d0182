package dev.agentpolicy.app.mail;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reduces what others wrote to names, so that nobody puts words, links or numbers to call into mails of the service. */
final class PlainNames {
    private static final int MAX_LENGTH = 40;
    private static final String UNKNOWN_BROWSER = "a browser";

    /** What an agent must hold, and the name of the browser; the first that fits counts, since most name others too. */
    private static final List<Map.Entry<String, String>> BROWSERS = List.of(
            Map.entry("Edg", "Edge"),
            Map.entry("OPR/", "Opera"),
            Map.entry("Firefox/", "Firefox"),
            Map.entry("FxiOS/", "Firefox"),
            Map.entry("Chrome/", "Chrome"),
            Map.entry("CriOS/", "Chrome"),
            Map.entry("Safari/", "Safari"));

    private static final List<Map.Entry<String, String>> SYSTEMS = List.of(
            Map.entry("Android", "Android"),
            Map.entry("iPhone", "iPhone"),
            Map.entry("iPad", "iPad"),
            Map.entry("Windows", "Windows"),
            Map.entry("CrOS", "ChromeOS"),
            Map.entry("Mac OS X", "macOS"),
            Map.entry("Linux", "Linux"));

    private PlainNames() {}

    /** Letters, digits and hyphens of a name, cut to {@value #MAX_LENGTH} characters; empty when it has none. */
    static Optional<String> of(String text) {
        String plain = text.replaceAll("[^\\p{L}\\p{M}\\p{Nd}-]+", " ").strip();
        String cut = plain.substring(
                0, plain.offsetByCodePoints(0, Math.min(MAX_LENGTH, plain.codePointCount(0, plain.length()))));
        return Optional.of(cut.strip()).filter(it -> !it.isEmpty());
    }

    /** Such as {@code Firefox on Linux}, of names that are known here. */
    static String browser(@Nullable String agent) {
        if (agent == null) {
            return UNKNOWN_BROWSER;
        }
        String system = name(SYSTEMS, agent).map(it -> " on " + it).orElse("");
        return name(BROWSERS, agent).map(it -> it + system).orElse(UNKNOWN_BROWSER);
    }

    private static Optional<String> name(List<Map.Entry<String, String>> names, String agent) {
        return names.stream()
                .filter(it -> agent.contains(it.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
