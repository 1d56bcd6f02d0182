package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import io.javalin.http.Context;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a call carries its input, and in which form it is answered: as HTTP says, or in the envelope of another protocol. */
public interface CallForm {

    /** Reads the input from its JSON object and continues with it, or with an error that lists all problems. */
    <T> void read(
            Context ctx,
            Function<Document, Reading<T>> parser,
            Consumer<? super T> success,
            Consumer<ErrorResponse> failure);

    /** Continues with the JSON object of the input as bytes. */
    void bytes(Context ctx, Consumer<byte[]> work);

    /** The parameters of a call that reads. */
    Query query(Context ctx);

    /**
     * The idempotency key of a proposal; null if there is none.
     *
     * @throws dev.agentpolicy.adapter.http.wire.RejectedRequest if it is malformed
     */
    @Nullable
    String idempotencyKey(Context ctx);

    /** Whether clients may revalidate an answer they have by its entity tag. */
    boolean isRevalidated();

    /** Answers with JSON. */
    void answer(Context ctx, byte[] json);

    /** Sends an error. */
    void refuse(Context ctx, ErrorResponse answer);
}
