package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reads the body of a request: JSON by its header, at most {@link #MAX_BYTES} long, and complete within 15 seconds. */
public final class Body {
    static final int MAX_BYTES = 64 * 1024;

    private Body() {}

    /**
     * Reads the body and continues with its value, or with an error that lists all problems.
     *
     * @param parser reads the value from a JSON object
     */
    public static <T> void read(
            Context ctx,
            Function<Document, Reading<T>> parser,
            Consumer<? super T> success,
            Consumer<ErrorResponse> failure) {
        bytes(ctx, bytes -> Reply.either(JsonReader.read(bytes).fold(parser, Reading::wrong), success, failure));
    }

    /** As {@link #read}, but a missing body counts as an empty object. */
    public static <T> void readOptional(
            Context ctx,
            Function<Document, Reading<T>> parser,
            Consumer<? super T> success,
            Consumer<ErrorResponse> failure) {
        boolean isAbsent = ctx.req().getContentLengthLong() <= 0 && ctx.req().getHeader("Transfer-Encoding") == null;
        if (isAbsent) {
            Reply.either(parser.apply(Document.of(Map.of())), success, failure);
        } else {
            read(ctx, parser, success, failure);
        }
    }

    /** For calls that take no members: a missing body or an empty object. Anything else is refused, and not ignored. */
    public static void readNone(Context ctx, Runnable work, Consumer<ErrorResponse> failure) {
        readOptional(ctx, sent -> new Fields(sent, Decimals.NUMBERS).finish(() -> true), empty -> work.run(), failure);
    }

    /** Whether the headers say that the body is JSON in UTF-8, not compressed. */
    public static boolean isJson(Context ctx) {
        return MediaType.isPlainJson(ctx.req());
    }

    /**
     * Continues with the bytes of a JSON body, unparsed: now if all have arrived, else on a server thread when they have.
     */
    public static void bytes(Context ctx, Consumer<byte[]> work) {
        bytes(ctx, work, problem -> {
            throw new RejectedRequest(problem);
        });
    }

    /** As above, with another continuation for a body that cannot be read. */
    public static void bytes(Context ctx, Consumer<byte[]> work, Consumer<ErrorResponse> failure) {
        HttpServletRequest request = ctx.req();
        long length = request.getContentLengthLong();
        if (!MediaType.isPlainJson(request)) {
            failure.accept(ErrorResponse.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be sent as Content-Type: application/json."));
        } else if (length > MAX_BYTES) {
            failure.accept(tooLarge());
        } else {
            arriving(ctx, length, work, failure);
        }
    }

    private static void arriving(Context ctx, long length, Consumer<byte[]> work, Consumer<ErrorResponse> failure) {
        byte[] arrived = null;
        try {
            InputStream in = ctx.req().getInputStream();
            if (length >= 0 && in.available() >= length) {
                arrived = readNow(in, (int) length);
            }
        } catch (IOException broken) {
            failure.accept(notWhole());
            return;
        }
        if (arrived == null) {
            ctx.future(() -> readLater(ctx, work, failure));
        } else {
            work.accept(arrived);
        }
    }

    /**
     * Reads a body that has arrived, and its end: the server moves a request that was not read to its end to another thread.
     */
    private static byte[] readNow(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        in.read();
        return bytes;
    }

    private static CompletableFuture<Void> readLater(
            Context ctx, Consumer<byte[]> work, Consumer<ErrorResponse> failure) {
        try {
            AsyncBodyReader reader = AsyncBodyReader.listen(ctx, MAX_BYTES);
            return reader.end()
                    .thenAcceptAsync(end -> ended(reader, end, work, failure), RequestDispatch.serverThreads(ctx));
        } catch (IOException broken) {
            failure.accept(notWhole());
            return CompletableFuture.completedFuture(null);
        }
    }

    private static void ended(
            AsyncBodyReader reader, AsyncBodyReader.End end, Consumer<byte[]> work, Consumer<ErrorResponse> failure) {
        switch (end) {
            case WHOLE -> work.accept(reader.bytes());
            case TOO_LARGE -> failure.accept(tooLarge());
            case TOO_SLOW -> failure.accept(tooSlow());
            case BROKEN -> failure.accept(notWhole());
        }
    }

    private static ErrorResponse tooLarge() {
        return ErrorResponse.of(ErrorCode.PAYLOAD_TOO_LARGE, "The body must have at most " + MAX_BYTES + " bytes.");
    }

    /** The answer to a body that does not arrive in time. */
    public static ErrorResponse tooSlow() {
        return ErrorResponse.of(ErrorCode.REQUEST_TIMEOUT, "The body arrived too slowly.")
                .with("Connection", "close");
    }

    private static ErrorResponse notWhole() {
        return ErrorResponse.of(ErrorCode.BAD_REQUEST, "The body did not arrive whole.")
                .with("Connection", "close");
    }
}
