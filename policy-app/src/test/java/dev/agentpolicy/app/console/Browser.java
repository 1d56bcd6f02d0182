package dev.agentpolicy.app.console;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A headless Chromium with a profile of its own. */
final class Browser implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final int GOODBYE_SECONDS = 5;

    private final Process process;
    private final DevTools devTools;

    private Browser(Process process, DevTools devTools) {
        this.process = process;
        this.devTools = devTools;
    }

    /** Starts the browser of this machine; without one the test is skipped with a message on stderr. */
    static Browser start(Path profile) throws IOException {
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
        return new Browser(process, new DevTools(address(process)));
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
        return devTools.send(null, "Target.createBrowserContext", Map.of())
                .get("browserContextId")
                .asString();
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

    @Override
    public void close() {
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
    }
}
