package dev.agentpolicy.adapter.http.authzen;

import dev.agentpolicy.adapter.http.agent.AgentCall;
import dev.agentpolicy.adapter.http.json.DecisionJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade.Evaluations;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers access evaluations. Each is a dry run of one trade, recorded as such. What is no trade of the calling key is
 * recorded like an item of a batch that could not be read.
 */
final class AccessEvaluations {
    private static final Refusal NO_JSON = Refusal.invalid(
            List.of(new Problem("Content-Type", "The body must be sent as Content-Type: application/json.")));

    private AccessEvaluations() {}

    /** Answers a request for one evaluation. */
    static void one(AgentCall call) {
        read(call, EvaluationRequest::read, request -> one(call, Reading.of(request)));
    }

    private static void one(AgentCall call, Reading<EvaluationRequest> request) {
        Reply.onCompletingThread(
                call.ctx(),
                evaluate(call, request),
                call.answering(result -> call.answer(
                        result.receipt(),
                        out -> result.write(out, call.useCases().isSandbox()))));
    }

    /** Answers a request for several evaluations. */
    static void several(AgentCall call) {
        read(call, EvaluationsRequest::read, request -> {
            if (request.isSingle()) {
                one(call, request.items().get(0));
            } else {
                several(call, request);
            }
        });
    }

    /** Evaluates the items as one batch, up to the first that ends it. */
    private static void several(AgentCall call, EvaluationsRequest request) {
        List<Reading<SentTrade>> trades =
                request.items().stream().map(item -> trade(call, item)).toList();
        Reply.onServerThread(
                call.ctx(),
                call.useCases()
                        .validateTrade()
                        .upTo(
                                call.caller(),
                                trades,
                                decision -> request.semantic().endsAfter(decision.isAllowed())),
                call.answering(evaluated -> answer(call, results(request, evaluated))));
    }

    /** Items beyond the last one that was decided are refused, unless a result ends the list. */
    private static List<EvaluationResult> results(EvaluationsRequest request, Evaluations evaluated) {
        List<EvaluationResult> results = new ArrayList<>();
        Refusal refused = evaluated.refused();
        for (int i = 0; i < request.items().size(); i++) {
            EvaluationResult result = i < evaluated.decided().size()
                    ? new EvaluationResult(
                            evaluated.decided().get(i), error(request.items().get(i)))
                    : new EvaluationResult(null, ErrorResponse.of(Objects.requireNonNull(refused)));
            results.add(result);
            if (request.semantic().endsAfter(result.isPermitted())) {
                break;
            }
        }
        return results;
    }

    /** The certification of the standard wants 400 for a body that is not sent as JSON. */
    private static <T> void read(AgentCall call, Function<Document, Reading<T>> parser, Consumer<T> work) {
        Consumer<ErrorResponse> refusing = wrong -> call.refuse(wrong.denying("decision"));
        if (Body.isJson(call.ctx())) {
            Body.read(call.ctx(), parser, work, refusing);
        } else {
            refusing.accept(ErrorResponse.of(NO_JSON));
        }
    }

    private static void answer(AgentCall call, List<EvaluationResult> results) {
        boolean isSandbox = call.useCases().isSandbox();
        Receipt last = results.stream()
                .map(EvaluationResult::receipt)
                .filter(Objects::nonNull)
                .reduce(null, (before, after) -> after);
        call.answer(last, out -> out.array("evaluations", results, (json, result) -> result.write(json, isSandbox)));
    }

    private static CompletionStage<Answer<EvaluationResult>> evaluate(
            AgentCall call, Reading<EvaluationRequest> request) {
        ValidateTrade validate = call.useCases().validateTrade();
        Reading<SentTrade> trade = trade(call, request);
        CompletionStage<Answer<Recorded<AdvisedDecision>>> decided = trade.fold(
                sent -> validate.one(call.caller(), sent),
                problems -> validate.batch(call.caller(), List.of(trade)).thenApply(AccessEvaluations::onlyOne));
        return decided.thenApply(answer -> answer.map(recorded -> new EvaluationResult(recorded, error(request))));
    }

    private static Reading<SentTrade> trade(AgentCall call, Reading<EvaluationRequest> request) {
        return request.then(it -> it.trade(call.caller().key().id()));
    }

    /** What is wrong with the form of an evaluation; null for nothing. */
    private static @Nullable ErrorResponse error(Reading<EvaluationRequest> request) {
        return request.isRead() ? null : ErrorResponse.of(Refusal.invalid(request.problems()));
    }

    private static Answer<Recorded<AdvisedDecision>> onlyOne(Answer<Recorded<List<AdvisedDecision>>> batch) {
        return batch.map(recorded -> new Recorded<>(recorded.value().get(0), recorded.receipt()));
    }

    /**
     * The result of one access evaluation.
     *
     * @param recorded the decision and its receipt; null if nothing was decided
     * @param error why nothing was decided, or what is wrong with the form of the evaluation; null for neither
     */
    private record EvaluationResult(
            @Nullable Recorded<AdvisedDecision> recorded,
            @Nullable ErrorResponse error) {

        boolean isPermitted() {
            return recorded != null && recorded.value().decision().isAllowed();
        }

        /** The receipt of its event; null if none was recorded. */
        @Nullable
        Receipt receipt() {
            return recorded == null ? null : recorded.receipt();
        }

        /**
         * Writes a decision of the standard. In the sandbox it names no event, because the event is in no log.
         *
         * @param isSandbox whether the caller has a test key
         */
        void write(JsonWriter out, boolean isSandbox) {
            out.truth("decision", isPermitted()).object("context", this, (context, result) -> {
                result.writeDecision(context);
                writeReceipt(context, isSandbox ? null : receipt());
                context.present(
                        "error", error, (json, name, it) -> json.object(name, it, EvaluationResult::writeError));
            });
        }

        private void writeDecision(JsonWriter out) {
            Decision decision = recorded == null ? null : recorded.value().decision();
            String refusal = error == null ? null : error.message();
            out.text("reason", decision == null ? refusal : decision.reason());
            DecisionJson.violations(out, decision == null ? List.of() : decision.violations());
            out.integer("ipsVersion", decision == null ? null : decision.ipsVersion());
        }

        private static void writeReceipt(JsonWriter out, @Nullable Receipt receipt) {
            if (receipt == null) {
                out.nothing("eventSeq").nothing("eventHash");
            } else {
                out.integer("eventSeq", receipt.seq()).text("eventHash", receipt.hash());
            }
        }

        private static void writeError(JsonWriter out, ErrorResponse error) {
            out.integer("status", error.code().status()).text("message", error.message());
        }
    }
}
