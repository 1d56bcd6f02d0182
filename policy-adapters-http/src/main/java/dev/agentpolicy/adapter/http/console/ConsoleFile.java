package dev.agentpolicy.adapter.http.console;

import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A file of the console, plain and compressed, with its headers. A client that already has it gets 304. */
final class ConsoleFile {
    private static final int NOT_MODIFIED = 304;

    private final String contentType;
    private final String cacheControl;
    private final String tag;
    private final byte[] whole;
    /** Null for a font, which is compressed in itself. */
    private final byte @Nullable [] compressed;

    private ConsoleFile(String contentType, String cacheControl, String tag, byte[] whole) {
        this.contentType = contentType;
        this.cacheControl = cacheControl;
        this.tag = '"' + tag + '"';
        this.whole = whole;
        this.compressed = contentType.startsWith("font/") ? null : compress(whole);
    }

    /** A page. Browsers ask for it each time, because its path stays the same when it changes. */
    static ConsoleFile page(byte[] html, String tag) {
        return new ConsoleFile("text/html; charset=utf-8", "no-cache", tag, html);
    }

    /** A file whose path contains its version, so that it can be cached forever. */
    static ConsoleFile asset(String name, byte[] bytes, String tag) {
        return new ConsoleFile(contentType(name), "public, max-age=31536000, immutable", tag, bytes);
    }

    /** Sends the file with another status than 200; never 304, since there is nothing at the path. */
    void sendAs(Context ctx, int status) {
        ctx.header("Cache-Control", "no-store")
                .contentType(contentType)
                .status(status)
                .result(whole);
    }

    void send(Context ctx) {
        ctx.header("Cache-Control", cacheControl).header("ETag", tag).header("Vary", "Accept-Encoding");
        String encodings = ctx.header("Accept-Encoding");
        byte[] gzip = encodings != null && encodings.contains("gzip") ? compressed : null;
        byte[] body = gzip == null ? whole : gzip;
        ctx.res().setContentLength(body.length);
        if (tag.equals(ctx.header("If-None-Match"))) {
            ctx.status(NOT_MODIFIED);
            return;
        }
        ctx.contentType(contentType);
        if (gzip != null) {
            ctx.header("Content-Encoding", "gzip");
        }
        ctx.result(body);
    }

    private static String contentType(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "woff2" -> "font/woff2";
            default -> "text/plain; charset=utf-8";
        };
    }

    private static byte[] compress(byte[] whole) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(whole);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return compressed.toByteArray();
    }
}
