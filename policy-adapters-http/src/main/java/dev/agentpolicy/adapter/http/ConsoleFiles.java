package dev.agentpolicy.adapter.http;

import static dev.agentpolicy.adapter.http.Access.PUBLIC;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.agentpolicy.domain.document.Sha256;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The console, a client of the app API and of nothing else: one page at every path it knows, and the files that page
 * loads. They are read once and kept in memory.
 */
public final class ConsoleFiles {
    /** The paths a person may open or reload; pages.js decides what stands there. */
    private static final List<String> PAGES = List.of(
            "/",
            "/sign-in",
            "/sign-up",
            "/welcome",
            "/requests/{id}",
            "/policy",
            "/portfolio",
            "/agents",
            "/audit",
            "/proof",
            "/usage");

    private static final String PAGE = "index.html";
    private static final String ASSETS = "/assets/";
    private static final int VERSION_DIGITS = 16;

    /** Only our own files, no inline script or style, nobody's frame; text can never become script. */
    private static final String POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'");

    private final String version;
    private final ConsoleFile page;
    private final Map<String, ConsoleFile> assets = new HashMap<>();

    private ConsoleFiles(SortedMap<String, byte[]> files) {
        this.version = version(files);
        this.page = ConsoleFile.page(page(files), version);
        files.forEach((name, bytes) -> assets.put(name, ConsoleFile.asset(name, bytes, version)));
        assets.remove(PAGE);
    }

    /** Reads them from the class path. */
    public static ConsoleFiles read() {
        return new ConsoleFiles(ConsoleSources.read());
    }

    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        PAGES.forEach(path -> routes.add(new Route("GET", path, PUBLIC, "-", this::sendPage)));
        routes.add(new Route("GET", ASSETS + "{version}/<name>", PUBLIC, "-", this::sendAsset));
        return routes;
    }

    private void sendPage(Context ctx) {
        ctx.header("Content-Security-Policy", POLICY)
                .header("Cross-Origin-Opener-Policy", "same-origin")
                .header("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()");
        page.send(ctx);
    }

    private void sendAsset(Context ctx) {
        ConsoleFile asset = version.equals(ctx.pathParam("version")) ? assets.get(ctx.pathParam("name")) : null;
        if (asset == null) {
            ErrorAnswer.of(ErrorCode.NOT_FOUND, "There is nothing at this path.")
                    .send(ctx);
        } else {
            asset.send(ctx);
        }
    }

    /** The page with the paths of this version; all modules are named in it, so that none waits for another. */
    private byte[] page(SortedMap<String, byte[]> files) {
        String modules = files.keySet().stream()
                .filter(name -> name.endsWith(".js"))
                .map(name -> "<link rel=\"modulepreload\" href=\"" + ASSETS + version + "/" + name + "\">")
                .collect(joining("\n    "));
        byte[] source = files.getOrDefault(PAGE, new byte[0]);
        return new String(source, UTF_8)
                .replace("{modules}", modules)
                .replace("{version}", version)
                .getBytes(UTF_8);
    }

    private static String version(SortedMap<String, byte[]> files) {
        StringBuilder all = new StringBuilder();
        files.forEach((name, bytes) ->
                all.append(name).append('\n').append(new String(bytes, UTF_8)).append('\n'));
        return Sha256.hex(all.toString()).substring(0, VERSION_DIGITS);
    }
}
