package dev.agentpolicy.app.connection;

import dev.agentpolicy.domain.port.ClientDocuments;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches client documents over https, from public addresses. */
public record HttpsClientDocuments(PublicHttps web) implements ClientDocuments {
    private static final Logger LOG = LoggerFactory.getLogger(HttpsClientDocuments.class);
    private static final int CHUNK = 8 * 1024;
    private static final int OK = 200;

    private static final Pattern MAX_AGE = Pattern.compile("(?:^|[ ,])max-age=\"?([0-9]{1,9})");

    @Override
    public Optional<FetchedDocument> fetch(URI url) {
        try {
            return web.call(url, (connection, endNanos) -> read(url, connection, endNanos));
        } catch (IOException failed) {
            LOG.info("The client document {} could not be fetched: {}", url, failed.getMessage());
            return Optional.empty();
        }
    }

    private static Optional<FetchedDocument> read(URI url, HttpsURLConnection connection, long endNanos)
            throws IOException {
        connection.setRequestProperty("Accept", "application/json");
        if (connection.getResponseCode() != OK) {
            LOG.info("The client document {} was answered with {}", url, connection.getResponseCode());
            return Optional.empty();
        }
        byte[] body = read(connection.getInputStream(), endNanos);
        return body == null
                ? Optional.empty()
                : Optional.of(new FetchedDocument(
                        new String(body, StandardCharsets.UTF_8), maxAge(connection.getHeaderField("Cache-Control"))));
    }

    /** Null for a body that is too large, or that comes too slowly. */
    private static byte @Nullable [] read(InputStream in, long end) throws IOException {
        byte[] body = new byte[MAX_BYTES + 1];
        int length = 0;
        while (length <= MAX_BYTES && System.nanoTime() < end) {
            int read = in.read(body, length, Math.min(CHUNK, body.length - length));
            if (read < 0) {
                return Arrays.copyOf(body, length);
            }
            length += read;
        }
        return null;
    }

    private static Duration maxAge(@Nullable String header) {
        String text = header == null ? "" : header.toLowerCase(Locale.ROOT);
        Matcher age = MAX_AGE.matcher(text);
        boolean isKept = !text.contains("no-store") && !text.contains("no-cache") && age.find();
        return isKept ? Duration.ofSeconds(Long.parseLong(age.group(1))) : Duration.ZERO;
    }
}
