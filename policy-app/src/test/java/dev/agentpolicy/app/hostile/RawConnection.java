package dev.agentpolicy.app.hostile;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A connection that sends any bytes and reads answers as HTTP, with a timeout for every wait. */
final class RawConnection implements AutoCloseable {
    private static final int MAX_MILLIS = 60_000;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    final Socket socket;
    private final InputStream in;

    RawConnection(String address) throws IOException {
        URI uri = URI.create(address);
        socket = new Socket(uri.getHost(), uri.getPort());
        socket.setSoTimeout(MAX_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Each character is one byte. */
    void send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Shuts down the sending side. */
    void endOfRequest() throws IOException {
        socket.shutdownOutput();
    }

    /** The next answer, interim ones left out; empty when the server closed instead. */
    Optional<RawAnswer> answer(boolean isHead) throws IOException {
        String line = line();
        if (line == null) {
            return Optional.empty();
        }
        int status = Integer.parseInt(line.split(" ")[1]);
        Map<String, List<String>> headers = headers();
        if (status < 200) {
            return answer(isHead);
        }
        boolean isEmpty = isHead || status == NO_CONTENT || status == NOT_MODIFIED;
        String body = isEmpty ? "" : body(headers);
        return Optional.of(new RawAnswer(status, headers, body));
    }

    /** Waits until the server closes, and returns the number of bytes received until then. */
    int rest() throws IOException {
        return in.readAllBytes().length;
    }

    private Map<String, List<String>> headers() throws IOException {
        Map<String, List<String>> headers = new TreeMap<>();
        for (String line = line(); line != null && !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return headers;
    }

    private String body(Map<String, List<String>> headers) throws IOException {
        List<String> length = headers.get("content-length");
        if (length != null) {
            return new String(in.readNBytes(Integer.parseInt(length.get(0))), StandardCharsets.UTF_8);
        }
        if (!headers.containsKey("transfer-encoding")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.write(in.readNBytes(size));
            line();
        }
        line();
        return body.toString(StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                return line.isEmpty() ? null : line.toString();
            }
            line.append((char) b);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
