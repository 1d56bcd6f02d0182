package dev.agentpolicy.adapter.http.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.agentpolicy.adapter.http.wire.Gzip;
import dev.agentpolicy.domain.document.Sha256;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The page of the console and the files it loads, read once and kept in memory.
 *
 * <p>The router could not serve them as static files: the page contains the version and a list of modules, modules are
 * rewritten, and the Host header of every request is checked.
 */
final class ConsoleContent {
    static final String ASSETS = "/assets/";

    private static final String PAGE = "index.html";
    private static final String NOTHING = "nothing.html";
    private static final String FIRST_MODULE = "app.js";
    private static final String WORKER = "service-worker.js";
    private static final String MANIFEST = "manifest.webmanifest";
    private static final int VERSION_DIGITS = 16;
    private static final String OURS = "console/";
    private static final String PREACT = "/META-INF/resources/webjars/preact/10.28.0/";

    /** What the worker keeps. */
    private static final Pattern KEPT = Pattern.compile("(?!" + WORKER + ").*\\.(?:js|css|svg|woff2)");

    private final String version;
    private final ConsoleFile page;
    private final ConsoleFile nothing;
    private final ConsoleFile worker;
    private final ConsoleFile manifest;
    private final Map<String, ConsoleFile> assets = new HashMap<>();

    /** Reads the files on first use; other threads that need them wait. */
    private static final class ContentHolder {
        static final ConsoleContent CONTENT = new ConsoleContent(read());
    }

    private ConsoleContent(SortedMap<String, byte[]> files) {
        Set<String> modules = JoinedModules.join(files, FIRST_MODULE);
        this.version = version(files);
        this.page = ConsoleFile.page(PAGE, page(files, PAGE, modules), version);
        this.nothing = ConsoleFile.page(NOTHING, page(files, NOTHING, modules), version);
        this.worker = ConsoleFile.page(WORKER, page(files, WORKER, modules), version);
        this.manifest = ConsoleFile.page(MANIFEST, page(files, MANIFEST, modules), version);
        files.forEach((name, bytes) -> assets.put(name, ConsoleFile.asset(name, bytes, version)));
        List.of(PAGE, NOTHING, WORKER, MANIFEST).forEach(assets::remove);
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

    /** What shows notifications, and keeps the files that the console opens with. */
    ConsoleFile worker() {
        return worker;
    }

    /** What browsers install the console by. */
    ConsoleFile manifest() {
        return manifest;
    }

    /** A file of a version of the console; null if there is none. */
    @Nullable
    ConsoleFile asset(String ofVersion, String name) {
        return version.equals(ofVersion) ? assets.get(name) : null;
    }

    /**
     * A page with the paths of this version. It lists the modules that the first view needs, so that browsers load them
     * in parallel; the console fetches the others when it needs them. The worker lists all files.
     */
    private byte[] page(SortedMap<String, byte[]> files, String name, Set<String> first) {
        String modules = first.stream()
                .map(file -> "<link rel=\"modulepreload\" href=\"" + ASSETS + version + "/" + file + "\">")
                .collect(joining("\n    "));
        String all = files.keySet().stream()
                .filter(file -> KEPT.matcher(file).matches())
                .map(file -> "'" + ASSETS + version + "/" + file + "'")
                .collect(joining(", "));
        byte[] source = files.getOrDefault(name, new byte[0]);
        return new String(source, UTF_8)
                .replace("{modules}", modules)
                .replace("{files}", all)
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

    /** All files by path within the console, in a fixed order: our own, and the modules of Preact. */
    private static SortedMap<String, byte[]> read() {
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
                List<JarEntry> all = jar.stream().filter(ConsoleContent::isOurs).toList();
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
            String module = new String(in.readAllBytes(), UTF_8);
            return module.replace("from\"preact\"", "from\"./preact.js\"")
                    .replaceFirst("(?m)^//# sourceMappingURL=.*$", "")
                    .getBytes(UTF_8);
        }
    }

    private static URL resource(String name) {
        return Objects.requireNonNull(ConsoleContent.class.getResource(name), name + " is missing on the class path");
    }

    /** A file of the console, plain and compressed, with its headers. A client that already has it gets 304. */
    static final class ConsoleFile {
        private static final int NOT_MODIFIED = 304;

        private final String contentType;
        private final String cacheControl;
        private final String tag;
        private final byte[] whole;
        /** Null for a font or picture that is compressed in itself. */
        private final byte @Nullable [] compressed;

        private ConsoleFile(String contentType, String cacheControl, String tag, byte[] whole) {
            this.contentType = contentType;
            this.cacheControl = cacheControl;
            this.tag = '"' + tag + '"';
            this.whole = whole;
            boolean isCompressed = contentType.startsWith("font/") || contentType.equals("image/png");
            this.compressed = isCompressed ? null : Gzip.compressed(whole);
        }

        /** A page, or what is like one. Browsers ask for it each time, because its path stays the same when it changes. */
        static ConsoleFile page(String name, byte[] bytes, String tag) {
            return new ConsoleFile(contentType(name), "no-cache", tag, bytes);
        }

        /** A file whose path contains its version, so that it can be cached forever. */
        static ConsoleFile asset(String name, byte[] bytes, String tag) {
            return new ConsoleFile(contentType(name), "public, max-age=31536000, immutable", tag, bytes);
        }

        /** Sends the file with another status than 200; never 304, since there is nothing at the path. */
        void sendAs(Context ctx, int status) {
            ctx.header("Cache-Control", "no-store")
                    .contentType(contentType)
                    .status(status)
                    .result(whole);
        }

        void send(Context ctx) {
            ctx.header("Cache-Control", cacheControl).header("ETag", tag).header("Vary", "Accept-Encoding");
            byte[] gzip = Gzip.isAccepted(ctx) ? compressed : null;
            byte[] body = gzip == null ? whole : gzip;
            ctx.res().setContentLength(body.length);
            if (tag.equals(ctx.header("If-None-Match"))) {
                ctx.status(NOT_MODIFIED);
                return;
            }
            ctx.contentType(contentType);
            if (gzip != null) {
                ctx.header("Content-Encoding", "gzip");
            }
            ctx.result(body);
        }

        private static String contentType(String name) {
            return switch (name.substring(name.lastIndexOf('.') + 1)) {
                case "html" -> "text/html; charset=utf-8";
                case "js" -> "text/javascript; charset=utf-8";
                case "webmanifest" -> "application/manifest+json";
                case "png" -> "image/png";
                case "css" -> "text/css; charset=utf-8";
                case "svg" -> "image/svg+xml";
                case "woff2" -> "font/woff2";
                default -> "text/plain; charset=utf-8";
            };
        }
    }
}
