package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.mcp.StdioBridge;
import dev.agentpolicy.app.config.CannotStart;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Speaks the Model Context Protocol over standard input and output for a service elsewhere (docs/reference/mcp.md). */
@Command(
        name = McpCommand.NAME,
        description = "Speak MCP over standard input and output, for clients that start a process. The key of the agent"
                + " is in POLICY_AGENT_KEY.",
        mixinStandardHelpOptions = true)
final class McpCommand implements Callable<Integer> {
    static final String NAME = "mcp";
    static final String URL_OPTION = "--url";
    static final String KEY = "POLICY_AGENT_KEY";
    private static final String PATH = "/mcp";
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1]", Pattern.CASE_INSENSITIVE);

    private final Map<String, String> environment;

    @Option(
            names = URL_OPTION,
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8080",
            description = "Address of the service; ${DEFAULT-VALUE} if absent.")
    private String url = "";

    McpCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        return run(environment, url);
    }

    /** Passes messages on until standard input ends. Returns the exit code. */
    static int run(Map<String, String> environment, String url) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter log = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        String key = environment.getOrDefault(KEY, "").strip();
        if (key.isEmpty()) {
            log.println(KEY + " is not set, so every call is refused; set it to the key of the agent.");
        }
        try {
            URI endpoint = endpoint(url);
            if (isInClear(endpoint)) {
                log.println("The key is sent in clear to " + endpoint + "; anyone on the way can read it. Use https.");
            }
            new StdioBridge(endpoint, key, out, log)
                    .run(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
            return 0;
        } catch (IOException broken) {
            log.println("Standard input cannot be read: " + broken.getMessage());
            return 1;
        } catch (CannotStart unusable) {
            log.println(unusable.getMessage());
            return 1;
        }
    }

    /** The endpoint at an address, which may have its path already. */
    static URI endpoint(String url) {
        try {
            String base = url.strip().replaceAll("/+$", "");
            URI endpoint = new URI(base.endsWith(PATH) ? base : base + PATH);
            boolean isHttp =
                    "http".equalsIgnoreCase(endpoint.getScheme()) || "https".equalsIgnoreCase(endpoint.getScheme());
            if (isHttp && endpoint.getHost() != null) {
                return endpoint;
            }
        } catch (URISyntaxException malformed) {
            throw unusable(url, malformed);
        }
        throw unusable(url, null);
    }

    /** Whether what is sent there leaves this machine without encryption. */
    static boolean isInClear(URI endpoint) {
        return "http".equalsIgnoreCase(endpoint.getScheme())
                && !LOOPBACK.matcher(endpoint.getHost()).matches();
    }

    private static CannotStart unusable(String url, @Nullable Exception cause) {
        return new CannotStart("--url must be an address such as https://policy.example, and not " + url + ".", cause);
    }
}
