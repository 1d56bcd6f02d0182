package dev.agentpolicy.domain.request;

import static dev.agentpolicy.domain.document.Schema.inline;
import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads requests as they are stored; decimals are text. */
public final class RequestDocument {
    private static final Codec<OrderAttempt> ORDER = Codec.object(OrderAttempt.STORED);

    private static final Schema<Pending> PENDING = Schema.of(
            row -> new Pending(row.next(), row.next(), row.next(), row.next(), row.next()),
            inline(Proposal.STORED, Pending::proposal),
            nullable("order", ORDER, Pending::order),
            required("attempts", Codec.INTEGER, Pending::attempts),
            nullable("executionError", Codec.TEXT, Pending::executionError),
            optional("ended", ORDER, Pending::ended));

    private static final Schema<Completed> COMPLETED = Schema.of(
            row -> new Completed(row.next(), row.next(), row.next()),
            inline(Proposal.STORED, Completed::proposal),
            required("order", ORDER, Completed::order),
            required("resolvedAt", Codec.INSTANT, Completed::at));

    private static final Schema<Rejected> REJECTED = Schema.of(
            row -> new Rejected(row.next(), row.next(), row.next(), row.next(), row.next()),
            inline(Proposal.STORED, Rejected::proposal),
            nullable("reason", Codec.TEXT, Rejected::reason),
            required("resolvedAt", Codec.INSTANT, Rejected::at),
            required("attempts", Codec.INTEGER, Rejected::attempts),
            optional("ended", ORDER, Rejected::ended));

    private RequestDocument() {}

    /** The members of a request. */
    public static Map<String, @Nullable Object> toStored(ServiceRequest request) {
        Map<String, @Nullable Object> members = request.fold(PENDING::write, COMPLETED::write, REJECTED::write);
        members.put("status", request.status().wireName());
        return members;
    }

    /** Reads what {@link #toStored} wrote. */
    public static ServiceRequest readStored(Document stored) {
        return switch (new Stored(stored).word("status", RequestStatus.class)) {
            case PENDING -> PENDING.readStored(stored);
            case COMPLETED -> COMPLETED.readStored(stored);
            case REJECTED -> REJECTED.readStored(stored);
        };
    }
}
