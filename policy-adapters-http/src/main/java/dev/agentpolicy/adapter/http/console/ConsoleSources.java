package dev.agentpolicy.adapter.http.console;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** Finds the files of the console on the class path: our own, and the modules of Preact. */
final class ConsoleSources {
    private static final String OURS = "console/";
    private static final String PREACT = "/META-INF/resources/webjars/preact/10.28.0/";

    private ConsoleSources() {}

    /** All files by path within the console, in a fixed order. */
    static SortedMap<String, byte[]> read() {
        SortedMap<String, byte[]> files = new TreeMap<>();
        try {
            readOurs(files);
            files.put("lib/preact.js", preact("dist/preact.module.js"));
            files.put("lib/preact-hooks.js", preact("hooks/dist/hooks.module.js"));
        } catch (IOException | URISyntaxException unreadable) {
            throw new IllegalStateException("The console cannot be read from the class path.", unreadable);
        }
        return files;
    }

    private static void readOurs(Map<String, byte[]> files) throws IOException, URISyntaxException {
        URL index = resource("/" + OURS + "index.html");
        if (index.openConnection() instanceof JarURLConnection inside) {
            inside.setUseCaches(false);
            try (JarFile jar = inside.getJarFile()) {
                List<JarEntry> all = jar.stream().filter(ConsoleSources::isOurs).toList();
                for (JarEntry entry : all) {
                    files.put(
                            entry.getName().substring(OURS.length()),
                            jar.getInputStream(entry).readAllBytes());
                }
            }
        } else {
            walk(Path.of(index.toURI().resolve(".")), files);
        }
    }

    private static boolean isOurs(JarEntry entry) {
        return entry.getName().startsWith(OURS) && !entry.isDirectory();
    }

    private static void walk(Path root, Map<String, byte[]> files) throws IOException {
        try (Stream<Path> found = Files.walk(root)) {
            List<Path> all = found.filter(Files::isRegularFile).toList();
            for (Path file : all) {
                files.put(root.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
    }

    /** Rewrites a module for browsers, which resolve paths and not package names. */
    private static byte[] preact(String name) throws IOException {
        try (InputStream in = resource(PREACT + name).openStream()) {
            String module = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return module.replace("from\"preact\"", "from\"./preact.js\"")
                    .replaceFirst("(?m)^//# sourceMappingURL=.*$", "")
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    private static URL resource(String name) {
        return Objects.requireNonNull(ConsoleSources.class.getResource(name), name + " is missing on the class path");
    }
}
