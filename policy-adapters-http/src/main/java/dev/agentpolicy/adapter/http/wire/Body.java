package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import io.javalin.http.Context;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request: JSON by its header, at most {@link #MAX_BYTES} long, and complete within 15 seconds. No
 * thread waits for a body, so a slow client delays nobody else.
 *
 * <p>A route that may block {@linkplain #await awaits} the body first and then {@linkplain #read(Context, Function) reads}
 * it like any value. Other routes continue in callbacks.
 */
public final class Body {
    static final int MAX_BYTES = 64 * 1024;
    static final int MAX_LARGE_BYTES = 1024 * 1024;
    private static final int MAX_SECONDS = 15;

    /** Bytes beyond the limit, or that no route reads, are discarded, so that the client can read its answer. */
    private static final int MAX_DISCARDED = 4 * 1024 * 1024;

    private static final int MAX_SECONDS_DISCARDING = 2;
    private static final String INCOMING = "incoming";

    /** Attribute: the body of the call is a form. */
    private static final String FORM = "form";

    /** Attribute: the most bytes that the body of the call may have. */
    private static final String MAX = "max-bytes";

    private Body() {}

    /** Lets the body of a call have up to {@link #MAX_LARGE_BYTES}. Must be called before the body is awaited. */
    public static void allowLarge(Context ctx) {
        ctx.attribute(MAX, MAX_LARGE_BYTES);
    }

    private static int maxBytes(Context ctx) {
        Integer large = ctx.attribute(MAX);
        return large == null ? MAX_BYTES : large;
    }

    /** Continues once the body has arrived, or is known not to: on this thread, or later on a server thread. */
    public static void await(Context ctx, Runnable work) {
        if (isAbsent(ctx) || headerProblem(ctx) != null || hasArrived(ctx)) {
            work.run();
        } else {
            whenArrived(ctx, work);
        }
    }

    /**
     * Reads a body that was awaited.
     *
     * @param parser reads the value from a JSON object
     * @throws RejectedRequest if it cannot be read, with all problems
     */
    public static <T> T read(Context ctx, Function<Document, Reading<T>> parser) {
        return valueOf(JsonReader.read(awaited(ctx)).then(parser));
    }

    /** As above, but a missing body counts as an empty object. */
    public static <T> T readOptional(Context ctx, Function<Document, Reading<T>> parser) {
        return isAbsent(ctx) ? valueOf(parser.apply(Document.of(Map.of()))) : read(ctx, parser);
    }

    /** Reads the body of a call that takes no members: missing, or an empty object. Anything else is refused. */
    public static void readNone(Context ctx) {
        readOptional(ctx, sent -> new Fields(sent, Decimals.NUMBERS).finish(() -> true));
    }

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
        bytes(ctx, bytes -> Reply.either(JsonReader.read(bytes).then(parser), success, failure));
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
        await(ctx, () -> {
            byte[] bytes;
            try {
                bytes = awaited(ctx);
            } catch (RejectedRequest unreadable) {
                failure.accept(unreadable.answer());
                return;
            }
            work.accept(bytes);
        });
    }

    /**
     * Continues with the members of a form ({@code application/x-www-form-urlencoded}) by name, once it has arrived, or
     * with what is wrong with it.
     */
    public static void form(Context ctx, Consumer<Map<String, List<String>>> work, Consumer<ErrorResponse> failure) {
        ctx.attribute(FORM, true);
        await(ctx, () -> {
            Map<String, List<String>> fields;
            try {
                fields = fields(new String(awaited(ctx), StandardCharsets.UTF_8));
            } catch (RejectedRequest unreadable) {
                failure.accept(unreadable.answer());
                return;
            }
            work.accept(fields);
        });
    }

    private static Map<String, List<String>> fields(String form) {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (String pair : form.split("&", -1)) {
            int end = pair.indexOf('=');
            if (!pair.isEmpty()) {
                String name = decoded(end < 0 ? pair : pair.substring(0, end));
                fields.computeIfAbsent(name, any -> new ArrayList<>())
                        .add(end < 0 ? "" : decoded(pair.substring(end + 1)));
            }
        }
        return fields;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new RejectedRequest(ErrorResponse.of(ErrorCode.BAD_REQUEST, "The form is not well-formed."));
        }
    }

    /** Whether the headers say that the body is JSON in UTF-8, not compressed. */
    public static boolean isJson(Context ctx) {
        return MediaType.JSON.isPlain(ctx.req());
    }

    /** Whether the body of a call is awaited, and has not arrived completely. */
    public static boolean isAwaited(Context ctx) {
        Incoming incoming = ctx.attribute(INCOMING);
        return incoming != null && !incoming.end.isDone();
    }

    /** The answer to a body that does not arrive in time. */
    public static ErrorResponse tooSlow() {
        return ErrorResponse.of(ErrorCode.REQUEST_TIMEOUT, "The body arrived too slowly.")
                .with("Connection", "close");
    }

    /**
     * Reads and discards what is left of a body before the call is answered. Closing a connection with unread bytes resets
     * it, and the client may never see the answer. Nothing is discarded if the rest is too large, or the connection is
     * closed anyway. The end is found on an I/O thread, so the answer is sent by a server thread.
     */
    public static void discardRest(Context ctx) throws IOException {
        HttpServletRequest request = ctx.req();
        boolean isWorthwhile = request.getContentLengthLong() <= MAX_DISCARDED
                && ctx.attribute(INCOMING) == null
                && request.getHeader("Expect") == null
                && ctx.res().getHeader("Connection") == null;
        if (!isAbsent(ctx) && isWorthwhile && !request.getInputStream().isFinished()) {
            Incoming rest = new Incoming(request.getInputStream(), 0);
            ctx.future(() -> {
                request.getAsyncContext().setTimeout(0);
                RequestDispatch.allowBlocking(ctx);
                rest.in.setReadListener(rest);
                return RequestDispatch.onServerThread(
                        ctx,
                        rest.end.completeOnTimeout(End.TOO_LARGE, MAX_SECONDS_DISCARDING, TimeUnit.SECONDS),
                        () -> {});
            });
        }
    }

    private static boolean isAbsent(Context ctx) {
        return ctx.req().getContentLengthLong() <= 0 && ctx.req().getHeader("Transfer-Encoding") == null;
    }

    /** What is wrong with a body by its headers, so that it need not be read; null if nothing is. */
    private static @Nullable ErrorResponse headerProblem(Context ctx) {
        MediaType expected = ctx.attribute(FORM) == null ? MediaType.JSON : MediaType.FORM;
        if (!expected.isPlain(ctx.req())) {
            return ErrorResponse.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be sent as Content-Type: " + expected.name + ".");
        }
        return ctx.req().getContentLengthLong() > maxBytes(ctx) ? tooLarge(maxBytes(ctx)) : null;
    }

    private static boolean hasArrived(Context ctx) {
        long length = ctx.req().getContentLengthLong();
        try {
            return ctx.attribute(INCOMING) != null || length >= 0 && input(ctx).available() >= length;
        } catch (IOException broken) {
            return true;
        }
    }

    private static ServletInputStream input(Context ctx) {
        try {
            return ctx.req().getInputStream();
        } catch (IOException broken) {
            throw new RejectedRequest(notWhole());
        }
    }

    private static void whenArrived(Context ctx, Runnable work) {
        ctx.future(() -> {
            Incoming incoming = new Incoming(input(ctx), maxBytes(ctx));
            ctx.attribute(INCOMING, incoming);
            incoming.in.setReadListener(incoming);
            return incoming.end
                    .completeOnTimeout(End.TOO_SLOW, MAX_SECONDS, TimeUnit.SECONDS)
                    .thenRunAsync(() -> RequestIdLog.run(ctx, work), RequestDispatch.serverThreads(ctx));
        });
    }

    /** The bytes of a body that was awaited. */
    private static byte[] awaited(Context ctx) {
        ErrorResponse problem = headerProblem(ctx);
        if (problem != null) {
            throw new RejectedRequest(problem);
        }
        Incoming incoming = ctx.attribute(INCOMING);
        return incoming == null ? readNow(ctx) : incoming.whole();
    }

    /**
     * Reads a body that has arrived, and its end: the server moves a request that was not read to its end to another thread.
     */
    private static byte[] readNow(Context ctx) {
        try {
            InputStream in = input(ctx);
            byte[] bytes = in.readNBytes(Math.max(0, (int) ctx.req().getContentLengthLong()));
            in.read();
            return bytes;
        } catch (IOException broken) {
            throw new RejectedRequest(notWhole());
        }
    }

    private static <T> T valueOf(Reading<T> reading) {
        return reading.fold(value -> value, problems -> {
            throw new RejectedRequest(ErrorResponse.invalid(problems));
        });
    }

    private static ErrorResponse tooLarge(int most) {
        return ErrorResponse.of(ErrorCode.PAYLOAD_TOO_LARGE, "The body must have at most " + most + " bytes.");
    }

    private static ErrorResponse notWhole() {
        return ErrorResponse.of(ErrorCode.BAD_REQUEST, "The body did not arrive whole.")
                .with("Connection", "close");
    }

    /** How a body ended. */
    private enum End {
        WHOLE,
        TOO_LARGE,
        TOO_SLOW,
        BROKEN
    }

    /** Collects a body while it arrives. Bytes beyond its limit are discarded for a while. */
    private static final class Incoming implements ReadListener {
        private final ServletInputStream in;
        private final int maxBytes;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        private final CompletableFuture<End> end = new CompletableFuture<>();
        private final byte[] chunk = new byte[8 * 1024];
        private int total;

        Incoming(ServletInputStream in, int maxBytes) {
            this.in = in;
            this.maxBytes = maxBytes;
        }

        /** The bytes of a body that has ended. */
        byte[] whole() {
            return switch (end.join()) {
                case WHOLE -> bytes.toByteArray();
                case TOO_LARGE -> throw new RejectedRequest(tooLarge(maxBytes));
                case TOO_SLOW -> throw new RejectedRequest(tooSlow());
                case BROKEN -> throw new RejectedRequest(notWhole());
            };
        }

        @Override
        public void onDataAvailable() throws IOException {
            while (!end.isDone() && in.isReady()) {
                int read = in.read(chunk);
                if (read < 0) {
                    onAllDataRead();
                } else {
                    take(read);
                }
            }
        }

        private void take(int read) {
            boolean wasWithin = total <= maxBytes;
            total += read;
            if (total <= maxBytes) {
                bytes.write(chunk, 0, read);
            } else if (wasWithin) {
                end.completeOnTimeout(End.TOO_LARGE, MAX_SECONDS_DISCARDING, TimeUnit.SECONDS);
            }
            if (total > MAX_DISCARDED) {
                end.complete(End.TOO_LARGE);
            }
        }

        @Override
        public void onAllDataRead() {
            end.complete(total <= maxBytes ? End.WHOLE : End.TOO_LARGE);
        }

        @Override
        public void onError(Throwable broken) {
            boolean isLate = broken instanceof TimeoutException || broken.getCause() instanceof TimeoutException;
            end.complete(isLate ? End.TOO_SLOW : End.BROKEN);
        }
    }

    /** The media type of a body (RFC 9110, sections 8.3 and 8.4). */
    private static final class MediaType {
        private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
        private static final String QUOTED = "\"(?:[\\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*+\"";
        private static final String PARAMETER = "(" + TOKEN + ")=(" + TOKEN + "|" + QUOTED + ")";
        private static final Pattern EACH = Pattern.compile(";[ \\t]*+" + PARAMETER);
        private static final Pattern UTF_8 = Pattern.compile("\"?utf-?8\"?", Pattern.CASE_INSENSITIVE);

        static final MediaType JSON = new MediaType("application/json");
        static final MediaType FORM = new MediaType("application/x-www-form-urlencoded");

        private final String name;
        private final Pattern whole;

        private MediaType(String name) {
            this.name = name;
            this.whole = Pattern.compile("(?i:" + name + ")(?:[ \\t]*+;[ \\t]*+(?:" + PARAMETER + ")?+)*+[ \\t]*+");
        }

        /** Whether a body is of this type, in UTF-8 and without a content coding. */
        boolean isPlain(HttpServletRequest request) {
            return isNamed(request.getHeader("Content-Type"))
                    && (request.getHeader("Content-Encoding") == null || isIdentity(request));
        }

        private static boolean isIdentity(HttpServletRequest request) {
            return Collections.list(request.getHeaders("Content-Encoding")).stream()
                    .flatMap(header -> Stream.of(header.split(",", -1)))
                    .allMatch(coding -> coding.strip().toLowerCase(Locale.ROOT).equals("identity"));
        }

        private boolean isNamed(@Nullable String contentType) {
            return name.equals(contentType)
                    || contentType != null
                            && whole.matcher(contentType).matches()
                            && EACH.matcher(contentType)
                                    .results()
                                    .filter(parameter -> parameter.group(1).equalsIgnoreCase("charset"))
                                    .allMatch(charset ->
                                            UTF_8.matcher(charset.group(2)).matches());
        }
    }
}
