package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** The body of a request: JSON by its header, at most {@link #MAX_BYTES}, and sent within a sane time. */
public final class Body {
    static final int MAX_BYTES = 64 * 1024;

    private Body() {}

    /** Reads the body as what a reader makes of its document, and goes on with that or with all that is wrong. */
    public static <T> void read(
            Context ctx,
            Function<Document, Reading<T>> meaning,
            Consumer<? super T> read,
            Consumer<ErrorAnswer> wrong) {
        bytes(ctx, bytes -> Reply.either(JsonReader.read(bytes).fold(meaning, Reading::wrong), read, wrong));
    }

    /** The same of a body that may be left out; then it is an empty object. */
    public static <T> void readIfAny(
            Context ctx,
            Function<Document, Reading<T>> meaning,
            Consumer<? super T> read,
            Consumer<ErrorAnswer> wrong) {
        boolean isAbsent = ctx.req().getContentLengthLong() <= 0 && ctx.req().getHeader("Transfer-Encoding") == null;
        if (isAbsent) {
            Reply.either(meaning.apply(Document.of(Map.of())), read, wrong);
        } else {
            read(ctx, meaning, read, wrong);
        }
    }

    /** Goes on with the bytes of a JSON body, not yet looked at: at once if they are here, else when they are. */
    public static void bytes(Context ctx, Consumer<byte[]> work) {
        HttpServletRequest request = ctx.req();
        if (!MediaType.isPlainJson(request)) {
            throw new Refused(ErrorAnswer.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be sent as Content-Type: application/json."));
        }
        long length = request.getContentLengthLong();
        if (length > MAX_BYTES) {
            throw tooLarge();
        }
        try {
            if (length >= 0 && request.getInputStream().available() >= length) {
                work.accept(atOnce(request.getInputStream(), (int) length));
            } else {
                ctx.future(() -> later(ctx, work));
            }
        } catch (IOException broken) {
            throw notWhole();
        }
    }

    /** All of a body that is here, and its end: the server gives a request that was not read to its end to other threads. */
    private static byte[] atOnce(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        in.read();
        return bytes;
    }

    private static CompletableFuture<Void> later(Context ctx, Consumer<byte[]> work) {
        try {
            AsyncBodyReader incoming = AsyncBodyReader.listen(ctx, MAX_BYTES);
            return incoming.end()
                    .thenAcceptAsync(
                            end -> work.accept(whole(incoming, end)),
                            task -> ctx.req().getAsyncContext().start(task));
        } catch (IOException broken) {
            throw notWhole();
        }
    }

    private static byte[] whole(AsyncBodyReader incoming, AsyncBodyReader.End end) {
        return switch (end) {
            case WHOLE -> incoming.bytes();
            case TOO_LARGE -> throw tooLarge();
            case TOO_SLOW -> throw new Refused(tooSlow());
            case BROKEN -> throw notWhole();
        };
    }

    private static Refused tooLarge() {
        return new Refused(
                ErrorAnswer.of(ErrorCode.PAYLOAD_TOO_LARGE, "The body must have at most " + MAX_BYTES + " bytes."));
    }

    /** The answer to who does not come to an end. */
    public static ErrorAnswer tooSlow() {
        return ErrorAnswer.of(ErrorCode.REQUEST_TIMEOUT, "The body arrived too slowly.")
                .with("Connection", "close");
    }

    private static Refused notWhole() {
        return new Refused(ErrorAnswer.of(ErrorCode.BAD_REQUEST, "The body did not arrive whole.")
                .with("Connection", "close"));
    }
}
