package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.request.IdempotencyKey;
import io.javalin.http.Context;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a call carries its input, and in which form it is answered. This is the form of the agent API: body, query and headers
 * of the request, and the status of the response. The envelopes of other protocols extend it.
 */
public class CallForm {
    /** The form of the agent API. */
    public static final CallForm HTTP = new CallForm();

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    protected CallForm() {}

    /** Reads the input from its JSON object and continues with it, or with an error that lists all problems. */
    public <T> void read(
            Context ctx,
            Function<Document, Reading<T>> parser,
            Consumer<? super T> success,
            Consumer<ErrorResponse> failure) {
        Body.read(ctx, parser, success, failure);
    }

    /** Continues with the JSON object of the input as bytes. */
    public void bytes(Context ctx, Consumer<byte[]> work) {
        Body.bytes(ctx, work);
    }

    /** The parameters of a call that reads. */
    public Query query(Context ctx) {
        return Query.of(ctx);
    }

    /**
     * The idempotency key of a proposal; null if there is none.
     *
     * @throws RejectedRequest if it is malformed
     */
    public @Nullable String idempotencyKey(Context ctx) {
        List<String> sent = Collections.list(ctx.req().getHeaders(IDEMPOTENCY_KEY));
        if (sent.isEmpty()) {
            return null;
        }
        String key = sent.get(0);
        if (sent.size() > 1 || key.isEmpty() || key.length() > IdempotencyKey.MAX_LENGTH) {
            throw RejectedRequest.parameter(IDEMPOTENCY_KEY, "must be one header of 1 to 128 characters");
        }
        return key;
    }

    /** Answers with JSON. */
    public void answer(Context ctx, byte[] json) {
        Reply.bytes(ctx, 200, json);
    }

    /**
     * Answers with a text that is no JSON.
     *
     * @param name of the text, where a form needs one
     */
    public void answerText(Context ctx, String name, String text) {
        ctx.contentType("text/plain; charset=utf-8").result(text);
    }

    /** Sends an error. */
    public void refuse(Context ctx, ErrorResponse answer) {
        answer.send(ctx);
    }
}
