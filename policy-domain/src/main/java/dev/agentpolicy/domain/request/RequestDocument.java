package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads requests as they are stored; decimals are text. */
public final class RequestDocument {

    private RequestDocument() {}

    /** The members of a request. */
    public static Map<String, @Nullable Object> toStored(ServiceRequest request) {
        Map<String, @Nullable Object> members = Proposal.STORED.write(request.proposal());
        members.put("status", request.status().wireName());
        members.putAll(request.fold(RequestDocument::pending, RequestDocument::completed, RequestDocument::rejected));
        return members;
    }

    /** Reads what {@link #toStored} wrote. */
    public static ServiceRequest readStored(Stored stored) {
        Proposal proposal = Proposal.STORED.readStored(stored.document());
        return switch (stored.word("status", RequestStatus.class)) {
            case PENDING ->
                new Pending(
                        proposal,
                        stored.objectOrNull("order", it -> OrderAttempt.STORED.readStored(it.document())),
                        Math.toIntExact(stored.integer("attempts")),
                        stored.textOrNull("executionError"),
                        stored.objectOrNull("ended", it -> OrderAttempt.STORED.readStored(it.document())));
            case COMPLETED ->
                new Completed(
                        proposal,
                        OrderAttempt.STORED.readStored(stored.object("order").document()),
                        stored.instant("resolvedAt"));
            case REJECTED ->
                new Rejected(
                        proposal,
                        stored.textOrNull("reason"),
                        stored.instant("resolvedAt"),
                        Math.toIntExact(stored.integer("attempts")),
                        stored.objectOrNull("ended", it -> OrderAttempt.STORED.readStored(it.document())));
        };
    }

    private static Map<String, @Nullable Object> pending(Pending pending) {
        OrderAttempt order = pending.order();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("order", order == null ? null : OrderAttempt.STORED.write(order));
        members.put("attempts", pending.attempts());
        members.put("executionError", pending.executionError());
        putEnded(members, pending.ended());
        return members;
    }

    private static Map<String, @Nullable Object> completed(Completed completed) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("order", OrderAttempt.STORED.write(completed.order()));
        members.put("resolvedAt", Instants.format(completed.at()));
        return members;
    }

    private static Map<String, @Nullable Object> rejected(Rejected rejected) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("reason", rejected.reason());
        members.put("resolvedAt", Instants.format(rejected.at()));
        members.put("attempts", rejected.attempts());
        putEnded(members, rejected.ended());
        return members;
    }

    private static void putEnded(Map<String, @Nullable Object> members, @Nullable OrderAttempt ended) {
        if (ended != null) {
            members.put("ended", OrderAttempt.STORED.write(ended));
        }
    }
}
