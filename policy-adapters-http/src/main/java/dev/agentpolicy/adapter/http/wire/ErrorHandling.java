package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.usecase.Refusal;
import io.javalin.config.Key;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers exceptions. The caller sees none of their details, only an id under which the log has them. */
public final class ErrorHandling {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorHandling.class);

    /** Key under which a server keeps its warning about calls that could not be answered. */
    public static final Key<RepeatedWarning> WARNING = new Key<>("unavailable");

    private ErrorHandling() {}

    /** Creates the warning about calls that could not be answered. */
    public static RepeatedWarning warning() {
        return new RepeatedWarning(LOG, "more calls could not be answered");
    }

    /** Logs a call that was not answered in time. */
    public static void timedOut(Context ctx) {
        RequestIdLog.run(ctx, () -> warn(ctx, "It was not answered in time."));
    }

    private static void warn(Context ctx, String reason) {
        ctx.appData(WARNING).warn("Call " + ResponseHeaders.requestId(ctx.res()) + " could not be answered", reason);
    }

    public static void answer(Throwable thrown, Context ctx) {
        answer(thrown, ctx, (it, answer) -> answer.send(it));
    }

    /**
     * As above, for a call whose refusals need further steps.
     *
     * @param refusals sends the error response
     */
    public static void answer(Throwable thrown, Context ctx, BiConsumer<Context, ErrorResponse> refusals) {
        Throwable cause = unwrapped(thrown);
        if (cause instanceof CancellationException) {
            return;
        }
        if (Reply.isTimedOut(ctx)) {
            LOG.debug("A call that had timed out ended with this failure.", cause);
            return;
        }
        RequestIdLog.run(ctx, () -> refusals.accept(ctx, of(cause, ctx)));
    }

    /** Answers an error of the virtual machine, for which the router has no context. */
    public static void answer(HttpServletResponse response, Error error) {
        String id = ResponseHeaders.requestId(response);
        RequestIdLog.run(id, () -> LOG.error("Call {} failed.", id, error));
        ErrorResponse answer = ErrorResponse.internal();
        byte[] json = JsonWriter.object(out -> answer.write(out, ResponseHeaders.requestId(response)));
        response.setStatus(answer.code().status());
        response.setContentType("application/json");
        try {
            response.getOutputStream().write(json);
        } catch (IOException | IllegalStateException gone) {
            LOG.debug("The client of call {} has disconnected.", ResponseHeaders.requestId(response), gone);
        }
    }

    private static ErrorResponse of(Throwable cause, Context ctx) {
        if (cause instanceof RejectedRequest refused) {
            return refused.answer();
        }
        String id = ResponseHeaders.requestId(ctx.res());
        Optional<Refusal> refusal = Refusal.ofFailure(cause);
        if (refusal.isPresent()) {
            if (cause instanceof Unavailable unavailable && unavailable.isStopped()) {
                LOG.debug("Call {} could not be answered: {}", id, cause.getMessage());
            } else {
                warn(ctx, String.valueOf(cause.getMessage()));
            }
            return ErrorResponse.of(refusal.get());
        }
        LOG.error("Call {} failed.", id, cause);
        return ErrorResponse.internal();
    }

    private static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown.getCause();
        boolean isWrapper = thrown instanceof CompletionException || thrown instanceof ExecutionException;
        return isWrapper && cause != null ? unwrapped(cause) : thrown;
    }
}
