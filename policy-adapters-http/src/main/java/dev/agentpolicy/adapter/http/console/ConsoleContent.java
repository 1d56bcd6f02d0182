package dev.agentpolicy.adapter.http.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.agentpolicy.domain.document.Sha256;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The page of the console and the files it loads, read once and kept in memory.
 *
 * <p>The router could not serve them as static files: the page contains the version and a list of modules, two modules are
 * rewritten, and the Host header of every request is checked.
 */
final class ConsoleContent {
    static final String ASSETS = "/assets/";

    private static final String PAGE = "index.html";
    private static final String NOTHING = "nothing.html";
    private static final String FIRST_MODULE = "app.js";
    private static final int VERSION_DIGITS = 16;

    private final String version;
    private final ConsoleFile page;
    private final ConsoleFile nothing;
    private final Map<String, ConsoleFile> assets = new HashMap<>();

    /** Reads the files on first use; other threads that need them wait. */
    private static final class ContentHolder {
        static final ConsoleContent CONTENT = new ConsoleContent(ConsoleSources.read());
    }

    private ConsoleContent(SortedMap<String, byte[]> files) {
        this.version = version(files);
        this.page = ConsoleFile.page(page(files, PAGE), version);
        this.nothing = ConsoleFile.page(page(files, NOTHING), version);
        files.forEach((name, bytes) -> assets.put(name, ConsoleFile.asset(name, bytes, version)));
        assets.remove(PAGE);
        assets.remove(NOTHING);
    }

    static ConsoleContent get() {
        return ContentHolder.CONTENT;
    }

    ConsoleFile page() {
        return page;
    }

    /** The page for paths at which there is nothing. */
    ConsoleFile nothing() {
        return nothing;
    }

    /** A file of a version of the console; null if there is none. */
    @Nullable
    ConsoleFile asset(String ofVersion, String name) {
        return version.equals(ofVersion) ? assets.get(name) : null;
    }

    /**
     * The page with the paths of this version. It lists the modules that the first view needs, so that browsers load them
     * in parallel; the console fetches the others when it needs them.
     */
    private byte[] page(SortedMap<String, byte[]> files, String name) {
        String modules = StaticImports.of(FIRST_MODULE, files).stream()
                .map(file -> "<link rel=\"modulepreload\" href=\"" + ASSETS + version + "/" + file + "\">")
                .collect(joining("\n    "));
        byte[] source = files.getOrDefault(name, new byte[0]);
        return new String(source, UTF_8)
                .replace("{modules}", modules)
                .replace("{version}", version)
                .getBytes(UTF_8);
    }

    private static String version(SortedMap<String, byte[]> files) {
        byte[] newLine = {'\n'};
        byte[][] all = files.entrySet().stream()
                .flatMap(file -> Stream.of(file.getKey().getBytes(UTF_8), newLine, file.getValue(), newLine))
                .toArray(byte[][]::new);
        return HexFormat.of().formatHex(Sha256.of(all)).substring(0, VERSION_DIGITS);
    }
}
