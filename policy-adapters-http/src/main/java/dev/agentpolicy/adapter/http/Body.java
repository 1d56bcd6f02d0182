package dev.agentpolicy.adapter.http;

import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The body of a request: JSON by its header, at most {@link #MAX_BYTES}, and sent within a sane time. */
final class Body {
    static final int MAX_BYTES = 64 * 1024;

    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final int CHUNK = 4 * 1024;
    private static final Pattern JSON = Pattern.compile("application/json(;charset=\"?utf-8\"?)?;?");

    private Body() {}

    /** Reads the body as what a reader makes of its document. */
    static <T> Reading<T> read(Context ctx, Function<Document, Reading<T>> meaning) {
        return JsonReader.read(bytes(ctx)).fold(meaning, Reading::wrong);
    }

    /** The same of a body that may be left out; then it is an empty object. */
    static <T> Reading<T> readIfAny(Context ctx, Function<Document, Reading<T>> meaning) {
        boolean isAbsent = ctx.req().getContentLengthLong() <= 0 && ctx.req().getHeader("Transfer-Encoding") == null;
        return isAbsent ? meaning.apply(Document.of(Map.of())) : read(ctx, meaning);
    }

    /** The bytes of a JSON body, not yet looked at. */
    static byte[] bytes(Context ctx) {
        HttpServletRequest request = ctx.req();
        if (!isJson(request.getContentType()) || request.getHeader("Content-Encoding") != null) {
            throw new Refused(ErrorAnswer.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be sent as Content-Type: application/json."));
        }
        if (request.getContentLengthLong() > MAX_BYTES) {
            throw tooLarge();
        }
        try {
            return upToLimit(request.getInputStream(), System.nanoTime() + MAX_NANOS);
        } catch (IOException broken) {
            throw broken.getCause() instanceof TimeoutException ? tooSlow() : notWhole();
        }
    }

    private static boolean isJson(@Nullable String contentType) {
        return "application/json".equals(contentType)
                || contentType != null
                        && JSON.matcher(contentType.toLowerCase(Locale.ROOT).replace(" ", ""))
                                .matches();
    }

    private static byte[] upToLimit(InputStream in, long deadline) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        byte[] chunk = new byte[CHUNK];
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            bytes.write(chunk, 0, read);
            if (bytes.size() > MAX_BYTES) {
                throw tooLarge();
            }
            refuseAfter(deadline);
        }
        return bytes.toByteArray();
    }

    private static void refuseAfter(long deadline) {
        if (System.nanoTime() - deadline > 0) {
            throw tooSlow();
        }
    }

    private static Refused tooLarge() {
        return new Refused(
                ErrorAnswer.of(ErrorCode.PAYLOAD_TOO_LARGE, "The body must have at most " + MAX_BYTES + " bytes."));
    }

    private static Refused tooSlow() {
        return new Refused(ErrorAnswer.of(ErrorCode.REQUEST_TIMEOUT, "The body arrived too slowly.")
                .with("Connection", "close"));
    }

    private static Refused notWhole() {
        return new Refused(ErrorAnswer.of(ErrorCode.BAD_REQUEST, "The body did not arrive whole.")
                .with("Connection", "close"));
    }
}
