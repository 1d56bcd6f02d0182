package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.SignedIn;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A stream as a browser reads it: each event as its name and its data. */
final class OpenStream implements AutoCloseable {
    private static final String END = "end";
    private static final Duration SILENCE = Duration.ofMillis(1_300);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final HttpResponse<InputStream> response;

    private OpenStream(HttpResponse<InputStream> response) {
        this.response = response;
    }

    /** Opens a stream with the headers of a client. */
    static OpenStream of(String address, Client client) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + SignedIn.APP + "stream"))
                .header("Accept", "text/event-stream");
        client.eachHeader(request::header);
        try {
            OpenStream stream = new OpenStream(HTTP.send(request.build(), BodyHandlers.ofInputStream()));
            Thread reader = new Thread(stream::read, "stream-reader");
            reader.setDaemon(true);
            reader.start();
            return stream;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            String name = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("data: ")) {
                    events.add(name + " " + line.substring("data: ".length()));
                }
            }
            events.add(END);
        } catch (IOException cut) {
            events.add("cut: " + cut);
        }
    }

    int status() {
        return response.statusCode();
    }

    String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    /** The first events. */
    List<String> first(int count) {
        List<String> first = new ArrayList<>();
        while (first.size() < count) {
            first.add(nextWithin(10));
        }
        return first;
    }

    /** The next event; fails if there is none within some seconds. */
    String nextWithin(int seconds) {
        String next = poll(Duration.ofSeconds(seconds));
        if (next == null) {
            throw new AssertionError("No event within " + seconds + " s.");
        }
        return next;
    }

    /** Whether nothing is sent for longer than a change may take to be told. */
    boolean isSilent() {
        return poll(SILENCE) == null;
    }

    /** Whether the stream ends now, as an answer that is complete. */
    boolean ends() {
        return END.equals(poll(Duration.ofSeconds(5)));
    }

    private String poll(Duration longest) {
        try {
            return events.poll(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Override
    public void close() {
        try {
            response.body().close();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
