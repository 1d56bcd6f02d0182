package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.RawCall;
import dev.agentpolicy.adapter.http.agent.DescribedCalls;
import dev.agentpolicy.adapter.http.agent.DescribedCalls.Call;
import dev.agentpolicy.openapi.Described;
import dev.agentpolicy.openapi.Exchange;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Sends bodies that stop halfway, which no client library does, and checks the answers against the description. */
final class TruncatedBodies {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final TestService service;

    private TruncatedBodies(TestService service) {
        this.service = service;
    }

    /** The answers of each operation, called at the same time, from a service with short timeouts. */
    static Map<String, Seen> answers(List<String> operations) {
        HttpConfig impatient = HttpConfig.of("127.0.0.1", 0, List.of()).withLimits(50, PATIENCE, LONG, LONG);
        ExecutorService crowd = Executors.newCachedThreadPool();
        try (TestService service = new TestService(impatient)) {
            DescribedCalls calls = new DescribedCalls(service);
            TruncatedBodies half = new TruncatedBodies(service);
            Map<String, Seen> answers = new ConcurrentHashMap<>();
            List<Call> ready = operations.stream().map(calls::of).toList();
            CompletableFuture<?>[] all = ready.stream()
                    .map(call ->
                            CompletableFuture.runAsync(() -> answers.put(call.operation(), half.sent(call)), crowd))
                    .toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(all).join();
            return answers;
        } finally {
            crowd.shutdown();
        }
    }

    private Seen sent(Call call) {
        StringBuilder head = new StringBuilder(call.method() + " " + call.path() + " HTTP/1.1\r\nHost: localhost\r\n");
        call.by()
                .eachHeader((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        String answer = RawCall.send(
                service.server.port(),
                head + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n",
                "{\"half\":");
        return held(call, answer);
    }

    private static Seen held(Call call, String answer) {
        int end = answer.indexOf("\r\n\r\n");
        String[] lines = answer.substring(0, end).split("\r\n");
        Map<String, List<String>> headers = new TreeMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.computeIfAbsent(lines[i].substring(0, colon), name -> new ArrayList<>())
                    .add(lines[i].substring(colon + 1).strip());
        }
        int status = Integer.parseInt(lines[0].split(" ")[1]);
        String body = answer.substring(end + 4);
        Described.require(new Exchange(call.method(), call.path(), status, headers, body));
        return new Seen(status, HttpHeaders.of(headers, (name, value) -> true), body);
    }
}
