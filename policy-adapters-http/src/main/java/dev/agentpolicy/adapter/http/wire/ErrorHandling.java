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

/** Answers what was thrown: nothing of it reaches the caller but an id by which it is found in the log. */
public final class ErrorHandling {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorHandling.class);

    /** By what a server finds its warning of calls that could not be answered. */
    public static final Key<RepeatedWarning> WARNING = new Key<>("unavailable");

    private ErrorHandling() {}

    /** The warning of calls that could not be answered, which a new server keeps for itself. */
    public static RepeatedWarning warning() {
        return new RepeatedWarning(LOG, "more calls could not be answered");
    }

    /** Takes note of a call that was given up because it was not answered in time. */
    public static void timedOut(Context ctx) {
        RequestIdLog.run(ctx, () -> warn(ctx, "Nothing came of it within the time that a call may take."));
    }

    private static void warn(Context ctx, String reason) {
        ctx.appData(WARNING).warn("Call " + ResponseHeaders.requestId(ctx.res()) + " could not be answered", reason);
    }

    public static void answer(Throwable thrown, Context ctx) {
        answer(thrown, ctx, (it, answer) -> answer.send(it));
    }

    /**
     * The same for a call whose refusals have to pass elsewhere first.
     *
     * @param refusals sends an answer
     */
    public static void answer(Throwable thrown, Context ctx, BiConsumer<Context, ErrorResponse> refusals) {
        Throwable cause = unwrapped(thrown);
        if (cause instanceof CancellationException) {
            return;
        }
        if (Reply.isTimedOut(ctx)) {
            LOG.debug("A call that was given up ended then.", cause);
            return;
        }
        RequestIdLog.run(ctx, () -> refusals.accept(ctx, of(cause, ctx)));
    }

    /** Answers an error of the machine itself, where no context is left. */
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
            LOG.debug("The caller of {} is gone.", ResponseHeaders.requestId(response), gone);
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
