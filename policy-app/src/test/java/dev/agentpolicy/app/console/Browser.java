package dev.agentpolicy.app.console;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.agentpolicy.domain.sample.FoldersInMemory;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of one class in a headless Chromium that the tests of this process share. What a context keeps no other
 * sees; they are closed with this, and the browser with the process.
 */
final class Browser implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final int GOODBYE_SECONDS = 5;

    private static @Nullable Chromium shared;

    private final DevTools devTools;
    private final List<String> contexts = new CopyOnWriteArrayList<>();

    private Browser(DevTools devTools) {
        this.devTools = devTools;
    }

    /** A process, the line to it, and its files. */
    private record Chromium(Process process, DevTools devTools, Path profile) {
        void stop() {
            devTools.close();
            process.destroy();
            try {
                if (!process.waitFor(GOODBYE_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor();
                }
            } catch (InterruptedException stopped) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
            try (Stream<Path> files = Files.walk(profile)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            } catch (IOException left) {
                System.err.println("Left over: " + profile + ": " + left);
            }
        }
    }

    /** Starts the browser of this machine unless it runs; without one the test is skipped with a message on stderr. */
    static synchronized Browser start() throws IOException {
        if (shared == null || !shared.process().isAlive()) {
            Chromium running = started(FoldersInMemory.create("chromium-"));
            Runtime.getRuntime().addShutdownHook(new Thread(running::stop, "browser-end"));
            shared = running;
        }
        return new Browser(shared.devTools());
    }

    private static Chromium started(Path profile) throws IOException {
        Path program = find().orElseGet(Browser::missing);
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless=new",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "--no-first-run",
                "--no-default-browser-check",
                "--disable-gpu",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--no-sandbox");
        }
        command.add("about:blank");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new Chromium(process, new DevTools(address(process)), profile);
    }

    private static Optional<Path> find() {
        Stream<String> folders = Stream.of(System.getenv("PATH").split(File.pathSeparator));
        return folders.flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Path missing() {
        String message = "NO BROWSER: no Chromium was found here, so THE CONSOLE WAS NOT TESTED. Install chromium.";
        System.err.println("\n" + "!".repeat(message.length()) + "\n" + message + "\n" + "!".repeat(message.length()));
        return abort(message);
    }

    private static URI address(Process process) throws IOException {
        BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            all.append(line).append('\n');
            Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                Thread rest = new Thread(() -> said.lines().forEach(ignored -> {}), "browser-output");
                rest.setDaemon(true);
                rest.start();
                return URI.create(listening.group(1));
            }
        }
        throw new IOException("The browser did not start: " + all);
    }

    /** Somewhere with cookies and storage of its own. */
    String context() {
        String context = devTools.send(null, "Target.createBrowserContext", Map.of())
                .get("browserContextId")
                .asString();
        contexts.add(context);
        return context;
    }

    /** Has a context keep what is downloaded in a folder. */
    void download(String context, Path folder) {
        devTools.send(
                null,
                "Browser.setDownloadBehavior",
                Map.of("behavior", "allow", "browserContextId", context, "downloadPath", folder.toString()));
    }

    /** Lets the pages of a context show notifications, as a person does who is asked. */
    void allowNotifications(String context, String origin) {
        devTools.send(
                null,
                "Browser.grantPermissions",
                Map.of("permissions", List.of("notifications"), "browserContextId", context, "origin", origin));
    }

    /** Opens an empty tab in front of those of a context, which are hidden from then on. */
    void cover(String context) {
        String target = devTools.send(
                        null, "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
                .get("targetId")
                .asString();
        devTools.send(null, "Target.activateTarget", Map.of("targetId", target));
    }

    /** A tab that shares cookies and storage with no other. */
    Tab open(String base, int width) {
        return open(base, width, context());
    }

    /** A tab that shares cookies and storage with those of the same context. */
    Tab open(String base, int width, String context) {
        String target = devTools.send(
                        null, "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
                .get("targetId")
                .asString();
        String session = devTools.send(null, "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId")
                .asString();
        return new Tab(devTools, session, base, width);
    }

    /** How many contexts are open. */
    int contexts() {
        return contexts.size();
    }

    /** Closes its contexts with their tabs but for this many, those that were opened first. */
    void closeAllBut(int kept) {
        List<String> over = contexts.subList(kept, contexts.size());
        over.forEach(
                context -> devTools.send(null, "Target.disposeBrowserContext", Map.of("browserContextId", context)));
        over.clear();
    }

    /** Closes its contexts with their tabs. */
    @Override
    public void close() {
        closeAllBut(0);
    }
}
