package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One page of the browser and the hands of the person before it: real clicks, real keys. */
final class Tab {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("console.patience", 60));
    private static final int HEIGHT = 900;
    private static final int PICTURE_QUALITY = 80;
    private static final Map<String, Integer> KEYS = Map.of(
            "Tab",
            9,
            "Enter",
            13,
            "Escape",
            27,
            " ",
            32,
            "PageDown",
            34,
            "End",
            35,
            "ArrowLeft",
            37,
            "ArrowUp",
            38,
            "ArrowRight",
            39,
            "ArrowDown",
            40);

    private static final Map<String, Object> AUTHENTICATOR = Map.of(
            "protocol",
            "ctap2",
            "transport",
            "internal",
            "hasResidentKey",
            true,
            "hasUserVerification",
            true,
            "isUserVerified",
            true,
            "automaticPresenceSimulation",
            true);

    /** Finds what a person would click, by what it says. */
    private static final String BY_NAME = """
            (name) => [...document.querySelectorAll('button, a, summary, label, [role=button]')].find((e) =>
              (e.getAttribute('aria-label') ?? e.textContent).replace(/\\s+/g, ' ').trim() === name
                && e.checkVisibility() && e.ariaDisabled !== 'true' && !e.closest('[inert]')
                && (!document.querySelector('dialog[open]') || e.closest('dialog[open]')))""";

    /** The middle of an element, or nothing while it moves or something lies over it. */
    private static final String AT_REST = """
            async (e) => {
              if (!e) return null;
              e.scrollIntoView({ block: 'center' });
              const before = e.getBoundingClientRect();
              await new Promise((done) => setTimeout(done, 120));
              const r = e.getBoundingClientRect();
              const [x, y] = [r.x + r.width / 2, r.y + r.height / 2];
              const top = document.elementFromPoint(x, y);
              return r.y === before.y && r.x === before.x && (e.contains(top) || top?.contains(e)) ? [x, y] : null;
            }""";

    /** Browsers let a worker focus a tab only after the click of a hand. */
    private static final String CLICK = """
            registration.getNotifications().then(([notification]) => {
              WindowClient.prototype.focus = async function () { return this; };
              dispatchEvent(new NotificationEvent('notificationclick', { notification }));
            })""";

    private final DevTools devTools;
    private final String session;
    private final String base;
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private volatile long bytes;
    private volatile String worker = "";
    private volatile boolean isEmptied;
    private int clicks;

    Tab(DevTools devTools, String session, String base, int width) {
        this.devTools = devTools;
        this.session = session;
        this.base = base;
        devTools.listen(session, this::hear);
        for (String domain : List.of("Page", "Runtime", "Network", "Log")) {
            send(domain + ".enable", Map.of());
        }
        send("Emulation.setScrollbarsHidden", Map.of("hidden", true));
        resize(width);
    }

    private void hear(JsonNode event) {
        JsonNode parameters = event.get("params");
        switch (event.get("method").asString()) {
            case "Runtime.exceptionThrown" ->
                complaints.add(parameters.get("exceptionDetails").toString());
            case "Log.entryAdded" -> {
                JsonNode entry = parameters.get("entry");
                String text = entry.get("text").asString();
                if (entry.get("level").asString().equals("error") && !text.startsWith("Failed to load resource")) {
                    complaints.add(text);
                }
            }
            case "Network.loadingFinished" ->
                bytes += parameters.get("encodedDataLength").asLong();
            case "ServiceWorker.workerRegistrationUpdated" ->
                parameters
                        .get("registrations")
                        .forEach(it -> worker = it.get("registrationId").asString());
            case "Page.javascriptDialogOpening" -> {
                if (isEmptied) {
                    CompletableFuture.runAsync(() -> send("Page.handleJavaScriptDialog", Map.of("accept", true)));
                }
            }
            default -> {}
        }
    }

    /** Hands a message to the service worker of the page, as a push service does. */
    void push(String message) {
        send("ServiceWorker.enable", Map.of());
        awaits(() -> !worker.isEmpty());
        send("ServiceWorker.deliverPushMessage", Map.of("origin", base, "registrationId", worker, "data", message));
    }

    /** Clicks the notification that the service worker shows, which a hand cannot reach in a browser without a window. */
    Tab clickNotification() {
        JsonNode targets = devTools.send(null, "Target.getTargets", Map.of()).get("targetInfos");
        for (JsonNode target : targets) {
            if (target.get("type").asString().equals("service_worker")
                    && target.get("url").asString().startsWith(base)) {
                String id = target.get("targetId").asString();
                String inside = devTools.send(null, "Target.attachToTarget", Map.of("targetId", id, "flatten", true))
                        .get("sessionId")
                        .asString();
                devTools.send(inside, "Runtime.evaluate", Map.of("expression", CLICK, "awaitPromise", true));
                devTools.send(null, "Target.detachFromTarget", Map.of("sessionId", inside));
            }
        }
        return this;
    }

    JsonNode send(String method, Map<String, ?> parameters) {
        return devTools.send(session, method, parameters);
    }

    void resize(int width) {
        resize(width, HEIGHT);
    }

    void resize(int width, int height) {
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    void prefer(String colorScheme) {
        send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colorScheme))));
    }

    /** Fetches nothing before it is needed, as users may ask their browser. */
    Tab saveData() {
        send("Emulation.setDataSaverOverride", Map.of("dataSaverEnabled", true));
        return this;
    }

    /** Fails whatever is fetched from addresses of these patterns, and nothing else. */
    void block(String... patterns) {
        send("Network.setBlockedURLs", Map.of("urls", patterns));
    }

    void offline(boolean isOffline) {
        send(
                "Network.emulateNetworkConditions",
                Map.of("offline", isOffline, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    /** From now on everything takes as long as on a phone far from its mast. */
    void slowLine() {
        send(
                "Network.emulateNetworkConditions",
                Map.of("offline", false, "latency", 300, "downloadThroughput", 100_000, "uploadThroughput", 50_000));
    }

    /** Opens a path and waits until the page has something to say, in its font, which moves what is on it. */
    Tab go(String path) {
        return follow(path)
                .until("location.pathname + location.search === " + quoted(path)
                        + " && document.querySelector('h1') && document.fonts.status === 'loaded'");
    }

    /** Forgets all that was visited, stored and set, as a new tab; false if it cannot. The page then shows one picture. */
    boolean empty() {
        try {
            isEmptied = true;
            send("Page.navigate", Map.of("url", base + "/nothing-is-here"));
            until("location.pathname === '/nothing-is-here' && document.readyState === 'complete'");
            evaluate("sessionStorage.clear()");
            send("Storage.clearDataForOrigin", Map.of("origin", base, "storageTypes", "all"));
            send("Network.clearBrowserCache", Map.of());
            send("Page.resetNavigationHistory", Map.of());
            devTools.send(null, "Target.detachFromTarget", Map.of("sessionId", session));
            return true;
        } catch (RuntimeException | AssertionError gone) {
            return false;
        }
    }

    /** Opens a path that leads elsewhere, and waits for nothing. */
    Tab follow(String path) {
        bytes = 0;
        send("Page.navigate", Map.of("url", base + path));
        return this;
    }

    /** What a script comes to. */
    JsonNode evaluate(String expression) {
        JsonNode result =
                send("Runtime.evaluate", Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(expression + "\n" + result.get("exceptionDetails"));
        }
        JsonNode value = result.get("result").get("value");
        return value == null ? JSON.nullNode() : value;
    }

    boolean is(String condition) {
        return evaluate("Boolean(" + condition + ")").asBoolean();
    }

    /** Waits until a condition holds. */
    Tab until(String condition) {
        for (long end = deadline(); System.nanoTime() < end; ) {
            try {
                if (is(condition)) {
                    return this;
                }
            } catch (IllegalStateException navigating) {
                // The page is on its way to another; it is asked again.
            }
            sleep();
        }
        return fail("Waited in vain for %s on this page:%n%s%n%s", condition, text("body"), complaints);
    }

    /** Waits until something holds that a script of the page does not see. */
    Tab awaits(BooleanSupplier condition) {
        for (long end = deadline(); !condition.getAsBoolean(); ) {
            assertThat(System.nanoTime()).as("the deadline").isLessThan(end);
            sleep();
        }
        return this;
    }

    /** Connects an authenticator that has no passkey yet, and a person who always agrees. */
    void addAuthenticator() {
        send("WebAuthn.enable", Map.of());
        send("WebAuthn.addVirtualAuthenticator", Map.of("options", AUTHENTICATOR));
    }

    /** Waits until the page says something. */
    Tab sees(String text) {
        return until("document.body.innerText.includes(" + quoted(text) + ")");
    }

    String text(String selector) {
        return evaluate("document.querySelector(" + quoted(selector) + ")?.innerText ?? ''")
                .asString();
    }

    /** Clicks in the middle of what has this name, where a hand would, once it stands still and nothing covers it. */
    Tab click(String name) {
        String target = "(" + BY_NAME + ")(" + quoted(name) + ")";
        JsonNode place = JSON.nullNode();
        for (long end = deadline(); place.isNull() && System.nanoTime() < end; ) {
            until(target);
            place = evaluate("(" + AT_REST + ")(" + target + ")");
        }
        assertThat(place.isArray()).as("%s can be clicked", name).isTrue();
        for (String type : List.of("mousePressed", "mouseReleased")) {
            send(
                    "Input.dispatchMouseEvent",
                    Map.of(
                            "type",
                            type,
                            "x",
                            place.get(0).asDouble(),
                            "y",
                            place.get(1).asDouble(),
                            "button",
                            "left",
                            "clickCount",
                            1));
        }
        clicks++;
        return this;
    }

    /** How often a hand has clicked, each field that was filled included. */
    int clicks() {
        return clicks;
    }

    /** Replaces what is in a field by typing. */
    Tab fill(String id, String text) {
        String field = "document.getElementById(" + quoted(id) + ")";
        until(field);
        clicks++;
        // A dialog that is still opening takes the focus away; then the text is typed again.
        for (long end = deadline(); !is(field + ".value === " + quoted(text)) && System.nanoTime() < end; ) {
            evaluate("(" + field + ".focus(), " + field + ".select())");
            send("Input.insertText", Map.of("text", text));
            sleep();
        }
        return until(field + ".value === " + quoted(text));
    }

    Tab choose(String id, String value) {
        String field = "document.getElementById(" + quoted(id) + ")";
        until(field);
        evaluate("(" + field + ".value = " + quoted(value) + ", " + field
                + ".dispatchEvent(new Event('input', {bubbles: true})), 0)");
        return this;
    }

    Tab press(String key) {
        Map<String, Object> event = new HashMap<>(Map.of("key", key, "code", key));
        event.put("windowsVirtualKeyCode", keyCode(key));
        event.put("type", "keyDown");
        if (key.equals("Enter")) {
            event.put("text", "\r");
        } else if (key.length() == 1) {
            event.put("text", key);
        }
        send("Input.dispatchKeyEvent", event);
        event.put("type", "keyUp");
        event.remove("text");
        send("Input.dispatchKeyEvent", event);
        return this;
    }

    /** The code of a key; a sign that is neither letter nor digit needs none to be typed. */
    private static int keyCode(String key) {
        int first = key.codePointAt(0);
        return KEYS.getOrDefault(key, Character.isLetterOrDigit(first) ? Character.toUpperCase(first) : 0);
    }

    /** Goes on with the Tab key until what is focused has this name. */
    Tab tabTo(String name) {
        String focused = "document.activeElement.textContent.replace(/\\s+/g, ' ').trim() === " + quoted(name);
        for (int i = 0; i < 100 && !is(focused); i++) {
            press("Tab");
        }
        assertThat(is(focused)).as("the Tab key reaches " + name).isTrue();
        return this;
    }

    /** Takes a picture of the whole page in WebP, in a window that is as high as the page and as wide as it was. */
    void screenshot(Path file, int width) throws IOException {
        double height = evaluate("document.documentElement.scrollHeight").asDouble();
        resize(width, (int) Math.ceil(height));
        JsonNode picture = send("Page.captureScreenshot", Map.of("format", "webp", "quality", PICTURE_QUALITY));
        resize(width);
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(picture.get("data").asString()));
    }

    /** Bytes that came over the wire since the page was opened. */
    long bytes() {
        return bytes;
    }

    /** What the browser complained about: errors of scripts, violations of the content policy. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    static String quoted(String text) {
        return JSON.writeValueAsString(text);
    }

    private static long deadline() {
        return System.nanoTime() + PATIENCE.toNanos();
    }

    private static void sleep() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
