package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/** Compresses answers for clients that take that (RFC 9110, Content-Encoding). */
public final class Gzip {
    /** Below this size, an answer fits into a packet or two as it is. */
    private static final int MIN_BYTES = 2 * 1024;

    /** The coding in a list of accepted ones, without a weight of 0 (RFC 9110, 12.5.3). */
    private static final Pattern ACCEPTED = Pattern.compile(
            "(?:^|,)\\s*gzip\\s*(?:;\\s*q\\s*=\\s*(?:1(?:\\.0*)?|0\\.\\d*[1-9]\\d*)\\s*)?(?:,|$)",
            Pattern.CASE_INSENSITIVE);

    private Gzip() {}

    /** Whether a client takes compressed answers. */
    public static boolean isAccepted(Context ctx) {
        String encodings = ctx.header("Accept-Encoding");
        return encodings != null && ACCEPTED.matcher(encodings).find();
    }

    /** Compresses bytes. */
    public static byte[] compressed(byte[] whole) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(whole);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return compressed.toByteArray();
    }

    /** The body to send for JSON: compressed, with the headers that say so, if it is long and the client takes that. */
    static byte[] body(Context ctx, byte[] json) {
        if (json.length < MIN_BYTES) {
            return json;
        }
        ctx.header("Vary", "Accept-Encoding");
        if (!isAccepted(ctx)) {
            return json;
        }
        ctx.header("Content-Encoding", "gzip");
        return compressed(json);
    }
}
