package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.RunningService;
import dev.agentpolicy.domain.document.Sha256;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the files of the console are served. */
@TestInstance(Lifecycle.PER_CLASS)
class ConsoleFilesTest {
    private static final Map<String, String> TYPES = Map.of(
            "js",
            "text/javascript",
            "css",
            "text/css",
            "svg",
            "image/svg+xml",
            "png",
            "image/png",
            "woff2",
            "font/woff2");

    private final HttpClient http = HttpClient.newHttpClient();

    private RunningService service;

    @BeforeAll
    void start(@TempDir Path directory) {
        service = RunningService.start(directory);
    }

    @AfterAll
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/sign-in", "/welcome", "/requests/12", "/policy", "/reconciliation", "/proof"})
    void every_page_is_the_same_document_under_a_strict_policy(String path) throws Exception {
        HttpResponse<String> page = get(path);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(header(page, "Content-Type")).startsWith("text/html");
        assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
        assertThat(header(page, "Content-Security-Policy"))
                .contains(
                        "default-src 'none'",
                        "script-src 'self';",
                        "style-src 'self';",
                        "font-src 'self';",
                        "frame-ancestors 'none'")
                .doesNotContain("unsafe", "http", "*");
        assertThat(page.body())
                .as("what is seen before any script runs")
                .contains("<span class=\"name\">Agent Policy</span>", "Loading…");
        assertThat(page.body()).doesNotContain("{version}", "{modules}", "<style", " style=", "http:", "https:");
        assertThat(page.body().replaceAll("<script type=\"module\" src=\"[^\"]+\"></script>", ""))
                .doesNotContain("<script");
    }

    @Test
    void a_page_that_did_not_change_is_not_sent_again() throws Exception {
        HttpResponse<String> page = get("/");
        HttpResponse<String> again = get("/", "If-None-Match", header(page, "ETag"));

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(header(again, "Content-Length")).isEqualTo(header(page, "Content-Length"));
    }

    @Test
    void files_are_kept_for_good_under_the_version_of_their_path() throws Exception {
        List<String> paths = assets();

        assertThat(paths).hasSizeBetween(8, 20);
        for (String path : paths) {
            HttpResponse<String> file = get(path);
            assertThat(file.statusCode()).as(path).isEqualTo(200);
            assertThat(header(file, "Cache-Control")).as(path).contains("immutable");
            assertThat(header(file, "Content-Type"))
                    .as(path)
                    .startsWith(TYPES.get(path.substring(path.lastIndexOf('.') + 1)));
        }
        assertThat(get(paths.get(0).replaceFirst("/assets/\\w+/", "/assets/0000000000000000/"))
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void the_worker_and_the_manifest_name_files_of_this_version_and_are_asked_for_each_time() throws Exception {
        HttpResponse<String> worker = get("/service-worker.js");
        assertThat(header(worker, "Content-Type")).startsWith("text/javascript");
        assertThat(header(worker, "Content-Security-Policy")).isEqualTo("default-src 'none'; connect-src 'self'");
        HttpResponse<String> manifest = get("/manifest.webmanifest");
        assertThat(header(manifest, "Content-Type")).startsWith("application/manifest+json");
        for (HttpResponse<String> file : List.of(worker, manifest)) {
            assertThat(header(file, "Cache-Control")).isEqualTo("no-cache");
            assertThat(file.body()).doesNotContain("{version}", "{files}");
            List<String> named = Pattern.compile("/assets/[^'\"]+")
                    .matcher(file.body())
                    .results()
                    .map(found -> found.group())
                    .filter(path -> !path.equals("/assets/"))
                    .toList();
            assertThat(named).isNotEmpty();
            for (String path : named) {
                assertThat(get(path).statusCode()).as(path).isEqualTo(200);
            }
        }
    }

    @Test
    void where_there_is_nothing_a_browser_gets_a_page_and_others_get_json() throws Exception {
        assertThat(header(get("/nothing", "Accept", "text/html,*/*;q=0.8"), "Content-Type"))
                .startsWith("text/html");
        assertThat(header(get("/nothing", "Accept", "text/html;q=0, */*"), "Content-Type"))
                .startsWith("application/json");
    }

    @Test
    void a_client_that_accepts_gzip_gets_it() throws Exception {
        String path = assets().stream()
                .filter(name -> name.endsWith("parts.css"))
                .findFirst()
                .orElseThrow();
        HttpResponse<String> small = get(path, "Accept-Encoding", "br, gzip");

        assertThat(header(small, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(small, "Vary")).isEqualTo("Accept-Encoding");
        assertThat(Long.parseLong(header(small, "Content-Length")))
                .isLessThan(get(path).body().length() / 2);
    }

    @Test
    void long_answers_for_people_are_compressed() throws Exception {
        ConsoleHousehold household = ConsoleHousehold.at(service.address());
        for (int i = 0; i < 3; i++) {
            household.agent().propose(ConsoleHousehold.BUY_BTC);
        }
        String cookie = "policy_session=" + household.session();

        for (String accepted : List.of("gzip", "br, GZIP;q=0.5, *", "identity,gzip ; q=1.0")) {
            HttpResponse<String> answer = get("/api/app/v1/requests", "Cookie", cookie, "Accept-Encoding", accepted);
            assertThat(header(answer, "Content-Encoding")).as(accepted).isEqualTo("gzip");
            assertThat(header(answer, "Vary")).isEqualTo("Accept-Encoding");
        }
        for (String refused : List.of("gzip;q=0", "gzip ; Q=0.000, br", "gzipx", "identity")) {
            HttpResponse<String> answer = get("/api/app/v1/requests", "Cookie", cookie, "Accept-Encoding", refused);
            assertThat(header(answer, "Content-Encoding")).as(refused).isEmpty();
            assertThat(header(answer, "Vary")).isEqualTo("Accept-Encoding");
        }
        assertThat(header(get("/api/app/v1/me", "Cookie", cookie, "Accept-Encoding", "gzip"), "Content-Encoding"))
                .isEmpty();
    }

    @Test
    void the_page_names_the_modules_that_the_first_view_needs_most_of_them_joined() throws Exception {
        assertThat(assets())
                .filteredOn(path -> path.endsWith(".js"))
                .hasSize(5)
                .anyMatch(path -> path.endsWith("/lib/html.js"));
        String first = assets().stream()
                .filter(path -> path.endsWith("/app.js"))
                .findFirst()
                .orElseThrow();

        assertThat(get(first).body())
                .contains(
                        "firstView['pages/sign-in.js']",
                        "firstView['pages/home.js']",
                        "firstView['requests/decide.js']")
                .doesNotContain("firstView['pages/policy.js']", "firstView['proof/");
        assertThat(get(first.replace("app.js", "pages/home.js")).statusCode()).isEqualTo(404);
        assertThat(get(first.replace("app.js", "pages/policy.js")).body()).contains("firstView['lib/api.js']");
    }

    @Test
    void a_font_is_sent_as_it_was_published() throws Exception {
        String path = assets().stream()
                .filter(name -> name.endsWith(".woff2"))
                .findFirst()
                .orElseThrow();
        HttpResponse<byte[]> font = http.send(
                HttpRequest.newBuilder(URI.create(service.address() + path))
                        .header("Accept-Encoding", "br, gzip")
                        .build(),
                BodyHandlers.ofByteArray());

        assertThat(header(font, "Content-Encoding")).isEmpty();
        assertThat(Files.readString(Path.of("../docs/dependencies.md")))
                .contains(HexFormat.of().formatHex(Sha256.of(font.body())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nowhere", "/requests/12/edit", "/index.html", "/console/app.js", "/assets/x/../app.js"})
    void an_unknown_path_is_not_found(String path) throws Exception {
        assertThat(get(path).statusCode()).isIn(400, 404);
        assertThat(get(path).body()).contains("\"error\"");
    }

    private List<String> assets() throws Exception {
        Matcher named = Pattern.compile("(?:href|src)=\"(/assets/[^\"]+)\"").matcher(get("/").body());
        return named.results().map(found -> found.group(1)).distinct().toList();
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service.address() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }
}
