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
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of one class in a headless Chromium that the tests of this process share. What a context keeps no other
 * sees. One that had a single tab is emptied and used again, since the first page of a new one takes five times as long;
 * the browser is closed with the process.
 */
final class Browser implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final int GOODBYE_SECONDS = 5;

    private static @Nullable Chromium shared;

    private final DevTools devTools;
    private final Deque<Opened> empty;
    private final List<String> contexts = new CopyOnWriteArrayList<>();
    private final List<Opened> opened = new CopyOnWriteArrayList<>();
    /** Contexts that tests have changed beyond what is emptied. */
    private final Set<String> changed = ConcurrentHashMap.newKeySet();

    private Browser(Chromium running) {
        this.devTools = running.devTools();
        this.empty = running.empty();
    }

    /** A tab by its context and target. */
    private record Opened(
            String context, String target, @Nullable Tab tab) {}

    /** A process, the line to it, its files, and tabs that nobody uses. */
    private record Chromium(Process process, DevTools devTools, Path profile, Deque<Opened> empty) {
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
        return new Browser(shared);
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
                "--disable-extensions",
                "--disable-features=SpareRendererForSitePerProcess,PreloadTopChromeWebUI,OptimizationGuideModelExecution,OptimizationGuideOnDeviceModel,OptimizationGuideModelDownloading",
                "--disable-dev-shm-usage"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--no-sandbox");
        }
        command.add("about:blank");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new Chromium(process, new DevTools(address(process)), profile, new ConcurrentLinkedDeque<>());
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
        changed.add(context);
        devTools.send(
                null,
                "Browser.setDownloadBehavior",
                Map.of("behavior", "allow", "browserContextId", context, "downloadPath", folder.toString()));
    }

    /** Lets the pages of a context show notifications, as a person does who is asked. */
    void allowNotifications(String context, String origin) {
        changed.add(context);
        devTools.send(
                null,
                "Browser.grantPermissions",
                Map.of("permissions", List.of("notifications"), "browserContextId", context, "origin", origin));
    }

    /** Opens an empty tab in front of those of a context, which are hidden from then on. */
    void cover(String context) {
        devTools.send(null, "Target.activateTarget", Map.of("targetId", target(context)));
    }

    /** A tab that shares cookies and storage with no other. */
    Tab open(String base, int width) {
        Opened used = empty.poll();
        if (used == null) {
            return open(base, width, context());
        }
        contexts.add(used.context());
        return attach(used.context(), used.target(), base, width);
    }

    /** A tab that shares cookies and storage with those of the same context. */
    Tab open(String base, int width, String context) {
        return attach(context, target(context), base, width);
    }

    private String target(String context) {
        String target = devTools.send(
                        null, "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
                .get("targetId")
                .asString();
        opened.add(new Opened(context, target, null));
        return target;
    }

    private Tab attach(String context, String target, String base, int width) {
        String session = devTools.send(null, "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId")
                .asString();
        Tab tab = new Tab(devTools, session, base, width);
        opened.removeIf(it -> it.target().equals(target));
        opened.add(new Opened(context, target, tab));
        return tab;
    }

    /** How many contexts are open. */
    int contexts() {
        return contexts.size();
    }

    /** Empties or closes its contexts with their tabs but for this many, those that were opened first. */
    void closeAllBut(int kept) {
        List<String> over = contexts.subList(kept, contexts.size());
        over.forEach(this::close);
        over.clear();
    }

    private void close(String context) {
        List<Opened> tabs =
                opened.stream().filter(it -> it.context().equals(context)).toList();
        opened.removeAll(tabs);
        boolean isChanged = changed.remove(context);
        if (tabs.size() == 1
                && tabs.get(0).tab() != null
                && !isChanged
                && tabs.get(0).tab().empty()) {
            devTools.send(null, "Storage.clearCookies", Map.of("browserContextId", context));
            empty.add(tabs.get(0));
        } else {
            devTools.send(null, "Target.disposeBrowserContext", Map.of("browserContextId", context));
        }
    }

    /** Closes its contexts with their tabs. */
    @Override
    public void close() {
        closeAllBut(0);
    }
}
