package dev.agentpolicy.adapter.http.authzen;

import static dev.agentpolicy.adapter.http.authzen.EvaluationRequest.ACTION;
import static dev.agentpolicy.adapter.http.authzen.EvaluationRequest.CONTEXT;
import static dev.agentpolicy.adapter.http.authzen.EvaluationRequest.RESOURCE;
import static dev.agentpolicy.adapter.http.authzen.EvaluationRequest.SUBJECT;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The request of several access evaluations.
 *
 * @param items each evaluation with the defaults of the request, or the problems of its form
 * @param semantic which of them are executed
 * @param isSingle whether the request has no list of evaluations and is itself the only one
 */
record EvaluationsRequest(List<Reading<EvaluationRequest>> items, EvaluationsSemantic semantic, boolean isSingle) {
    private static final String ITEMS = "evaluations";

    EvaluationsRequest {
        items = List.copyOf(items);
    }

    /** Reads a request. A problem of a single evaluation is its own; any other makes the whole request invalid. */
    static Reading<EvaluationsRequest> read(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        fields.ignoreUnknown();
        EvaluationRequest.checkForm(fields);
        EvaluationsSemantic semantic = fields.object("options", EvaluationsRequest::semantic);
        List<?> items = items(fields, sent.get(ITEMS));
        if (items.isEmpty()) {
            EvaluationRequest.requireEntities(fields);
        }
        return fields.finish(() -> new EvaluationsRequest(
                items.isEmpty() ? List.of(EvaluationRequest.read(sent)) : evaluations(items, sent),
                Objects.requireNonNullElse(semantic, EvaluationsSemantic.EXECUTE_ALL),
                items.isEmpty()));
    }

    private static @Nullable EvaluationsSemantic semantic(Fields options) {
        options.ignoreUnknown();
        return options.word("evaluations_semantic", EvaluationsSemantic.class);
    }

    private static List<?> items(Fields fields, @Nullable Object sent) {
        if (sent != null && !(sent instanceof List)) {
            fields.problem(ITEMS, "must be an array");
        }
        List<?> items = sent instanceof List<?> list ? list : List.of();
        if (items.size() > ValidateTrade.MAX_BATCH) {
            fields.problem(ITEMS, "must have at most " + ValidateTrade.MAX_BATCH + " items");
        }
        return items;
    }

    private static List<Reading<EvaluationRequest>> evaluations(List<?> items, Document defaults) {
        return IntStream.range(0, items.size())
                .mapToObj(i -> evaluation(i, items.get(i), defaults))
                .toList();
    }

    /** An entity of an item replaces the default as a whole. */
    private static Reading<EvaluationRequest> evaluation(int index, @Nullable Object item, Document defaults) {
        if (!(item instanceof Document own)) {
            String field = ITEMS + "[" + index + "]";
            return Reading.wrong(List.of(new Problem(field, field + " must be an object.")));
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (String entity : List.of(SUBJECT, ACTION, RESOURCE, CONTEXT)) {
            Object value = own.get(entity) == null ? defaults.get(entity) : own.get(entity);
            if (value != null) {
                members.put(entity, value);
            }
        }
        return EvaluationRequest.read(new Document(members, own.repeated()));
    }

    /** Which of several evaluations are executed. They are executed in the order sent. */
    enum EvaluationsSemantic implements Word {
        /** All of them. */
        EXECUTE_ALL,
        /** All up to the first that is denied. */
        DENY_ON_FIRST_DENY,
        /** All up to the first that is permitted. */
        PERMIT_ON_FIRST_PERMIT;

        /** Whether no evaluation after one with this decision is executed. */
        boolean endsAfter(boolean isPermitted) {
            return this != EXECUTE_ALL && isPermitted == (this == PERMIT_ON_FIRST_PERMIT);
        }
    }
}
