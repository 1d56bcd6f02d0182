package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.RequestJson;
import dev.agentpolicy.adapter.http.json.UserJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.RequestReview.Shown;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.request.AttestRequest;
import dev.agentpolicy.domain.usecase.request.AttestRequest.Selection;
import dev.agentpolicy.domain.usecase.request.ReadRequests;
import dev.agentpolicy.domain.usecase.request.ReadRequests.RequestPage;
import dev.agentpolicy.domain.usecase.request.ReviewRequest.Reviewed;
import dev.agentpolicy.domain.usecase.request.ReviewRequest.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers calls about proposed trades, which the user accepts or rejects.
 *
 * @param maxWait how long a call waits for a custodian that is silent, once what the user wants is recorded
 */
record RequestEndpoints(AppUseCases useCases, SessionGate gate, Duration maxWait) {
    private static final int MAX_REASON = 500;

    void list(AppCall call) {
        Query query = call.query();
        RequestStatus status = query.parameter(
                        "status", "must be pending, completed or rejected", RequestEndpoints::status)
                .orElse(null);
        int limit = query.integer("limit", 1, ReadRequests.MAX_LIMIT, ReadRequests.DEFAULT_LIMIT);
        Long before = before(query);
        RequestPage page = useCases.readRequests().page(call.user(), status, before, limit);
        Long next = page.next();
        call.answer(out -> out.array("requests", page.requests(), RequestJson::write)
                .text("nextCursor", next == null ? null : next.toString()));
    }

    void read(AppCall call) {
        Reviewed request = useCases.reviewRequest().find(call.user(), id(call)).orElseThrow(RequestEndpoints::unknown);
        call.answer(out -> RequestJson.write(out, request));
    }

    void verdicts(AppCall call) {
        Verdicts verdicts = useCases.reviewRequest().verdicts(call.user());
        call.answer(out -> RequestJson.write(out, verdicts));
    }

    void accept(AppCall call) {
        long id = id(call);
        Acceptance sent = Body.readOptional(call.ctx(), RequestEndpoints::acceptance);
        Reply.onServerThread(
                call.ctx(),
                asked(
                        call,
                        List.of(id),
                        Pending::isAccepted,
                        () -> accepted(call, id, sent).map(List::of)),
                answer -> Reply.either(
                        answer,
                        requests -> call.answer(out -> RequestJson.write(out, requests.get(0))),
                        refusal -> response(refusal).send(call.ctx())));
    }

    /**
     * What becomes of requests whose orders a custodian is asked about. When it is silent, the answer is how they stand; the
     * order goes on meanwhile.
     *
     * @param isRecorded whether one of them, which still waits, has what the user wants; one that ended during the call had it
     */
    private CompletableFuture<Answer<List<ServiceRequest>>> asked(
            AppCall call,
            List<Long> ids,
            Predicate<Pending> isRecorded,
            Supplier<Answer<List<ServiceRequest>>> change) {
        boolean haveAllWaited = found(call.user(), ids).allMatch(Pending.class::isInstance);
        CompletableFuture<Answer<List<ServiceRequest>>> answer =
                CompletableFuture.supplyAsync(change, useCases.asking());
        if (!haveAllWaited) {
            return answer;
        }
        completeWhenKnown(
                answer,
                Reply.delayed(call.ctx(), maxWait),
                () -> recorded(call.user(), ids, isRecorded).map(Answer::given));
        return answer;
    }

    private static <T> void completeWhenKnown(
            CompletableFuture<T> answer, Executor later, Supplier<Optional<T>> known) {
        later.execute(() -> {
            if (!answer.isDone()) {
                known.get().ifPresentOrElse(answer::complete, () -> completeWhenKnown(answer, later, known));
            }
        });
    }

    private Optional<List<ServiceRequest>> recorded(UserId user, List<Long> ids, Predicate<Pending> isRecorded) {
        List<ServiceRequest> now = found(user, ids).toList();
        boolean isDone = now.size() == ids.size()
                && now.stream().allMatch(one -> !(one instanceof Pending pending) || isRecorded.test(pending));
        return isDone ? Optional.of(now) : Optional.empty();
    }

    private Stream<ServiceRequest> found(UserId user, List<Long> ids) {
        return ids.stream().flatMap(id -> useCases.readRequests().find(user, id).stream());
    }

    private Answer<ServiceRequest> accepted(AppCall call, long id, Acceptance sent) {
        AttestRequest attest = useCases.attestRequest();
        return sent.passkey == null
                ? attest.accept(call.user(), id, sent.shown)
                : attest.accept(call.user(), id, sent.shown, sent.passkey, gate.party(call.ctx()));
    }

    void acceptTogether(AppCall call) {
        Together sent = Body.read(call.ctx(), RequestEndpoints::together);
        AttestRequest attest = useCases.attestRequest();
        call.answer(
                200,
                asked(
                        call,
                        sent.ids,
                        Pending::isAccepted,
                        () -> sent.passkey == null
                                ? attest.acceptTogether(call.user(), sent.ids, sent.shown)
                                : attest.acceptTogether(
                                        call.user(), sent.ids, sent.shown, sent.passkey, gate.party(call.ctx()))),
                (out, accepted) -> out.array("requests", accepted, RequestJson::write));
    }

    void passkeyOptions(AppCall call) {
        offer(call, List.of(idWithoutMembers(call)));
    }

    void passkeyOptionsTogether(AppCall call) {
        offer(call, Body.read(call.ctx(), sent -> {
            Fields fields = new Fields(sent, Decimals.NUMBERS);
            List<Long> ids = ids(fields);
            return fields.finish(() -> ids);
        }));
    }

    private void offer(AppCall call, List<Long> ids) {
        call.answer(
                200,
                useCases.signRequest().offer(call.user(), ids),
                (out, offer) -> UserJson.request(out, gate.party(call.ctx()), offer.challenge(), offer.passkeys()));
    }

    /** An acceptance that is refused as changed carries the request as it would be decided now. */
    private ErrorResponse response(Refusal refusal) {
        ServiceRequest request = refusal.request();
        return refusal.code() == Refusal.Code.CHANGED && request != null
                ? ErrorResponse.changed(refusal, useCases.reviewRequest().reviewed(request))
                : ErrorResponse.of(refusal);
    }

    void reject(AppCall call) {
        long id = id(call);
        String reason = Body.readOptional(call.ctx(), RequestEndpoints::reason).orElse(null);
        call.answer(200, useCases.attestRequest().reject(call.user(), id, reason), RequestJson::write);
    }

    void rejectMany(AppCall call) {
        Selection selection = Body.read(call.ctx(), RequestEndpoints::selection);
        int rejected = useCases.attestRequest().rejectMany(call.user(), selection);
        call.answer(out -> out.integer("rejected", rejected));
    }

    void cancel(AppCall call) {
        long id = idWithoutMembers(call);
        ExecuteOrders orders = useCases.executeOrders();
        call.answer(
                200,
                asked(
                        call,
                        List.of(id),
                        RequestEndpoints::isTakenBack,
                        () -> orders.cancel(call.user(), id).map(List::of)),
                (out, requests) -> RequestJson.write(out, requests.get(0)));
    }

    private static boolean isTakenBack(Pending pending) {
        OrderAttempt order = pending.order();
        return order != null && order.isCancelRequested();
    }

    void close(AppCall call) {
        long id = idWithoutMembers(call);
        ExecuteOrders orders = useCases.executeOrders();
        CompletableFuture<Answer<ServiceRequest>> answer =
                CompletableFuture.supplyAsync(() -> orders.close(call.user(), id), useCases.asking());
        Reply.delayed(call.ctx(), maxWait).execute(() -> answer.complete(ExecuteOrders.unanswered()));
        call.answer(200, answer, RequestJson::write);
    }

    private record Acceptance(
            @Nullable Shown shown, @Nullable SentAssertion passkey) {}

    private static Reading<Acceptance> acceptance(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Shown shown = fields.object("shown", RequestEndpoints::shown);
        SentAssertion passkey = fields.object("passkey", SentAssertion::read);
        return fields.finish(() -> new Acceptance(shown, passkey));
    }

    private record Together(
            List<Long> ids, Shown shown, @Nullable SentAssertion passkey) {}

    private static Reading<Together> together(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        List<Long> ids = ids(fields);
        Shown shown = fields.object("shown", RequestEndpoints::shown);
        SentAssertion passkey = fields.object("passkey", SentAssertion::read);
        fields.require("shown");
        return fields.finish(() -> new Together(ids, Fields.present(shown), passkey));
    }

    /** The ids of requests that are accepted together. */
    private static List<Long> ids(Fields fields) {
        List<Long> ids = fields.integers("ids", AttestRequest.MAX_TOGETHER);
        fields.require("ids");
        if (fields.has("ids") && (ids.isEmpty() || Set.copyOf(ids).size() < ids.size())) {
            fields.problem("ids", "must be different ids, at least one");
        }
        return ids;
    }

    private static @Nullable Shown shown(Fields shown) {
        Integer version = shown.integer("ipsVersion", 1, Integer.MAX_VALUE);
        Integer revision = shown.integer("portfolioRevision", 0, Integer.MAX_VALUE);
        shown.require("portfolioRevision");
        return revision == null ? null : new Shown(version, revision);
    }

    private static Reading<Selection> selection(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        for (String narrowing : List.of("ids", "agentKeyId")) {
            if (sent.members().containsKey(narrowing) && !fields.has(narrowing)) {
                // Taken for absent, it would reject everything.
                fields.problem(narrowing, "must not be null");
            }
        }
        List<Long> ids = fields.integers("ids", Selection.MAX_IDS);
        UUID key = fields.meaning("agentKeyId", "must be the id of a key", Query::asUuid);
        String reason = fields.plainText("reason", 0, MAX_REASON);
        return fields.finish(() -> new Selection(
                fields.has("ids") ? Set.copyOf(ids) : null,
                key == null ? null : new AgentKeyId(key),
                reason == null || reason.isBlank() ? null : reason));
    }

    private static Reading<Optional<String>> reason(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String reason = fields.plainText("reason", 0, MAX_REASON);
        return fields.finish(() -> Optional.ofNullable(reason).filter(text -> !text.isBlank()));
    }

    private static @Nullable RequestStatus status(String name) {
        return Stream.of(RequestStatus.values())
                .filter(status -> status.wireName().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The id below which a page begins; null for the first page. */
    static @Nullable Long before(Query query) {
        return query.parameter("cursor", "must be the nextCursor of a page", RequestEndpoints::cursor)
                .orElse(null);
    }

    /** The id below which the next page continues; null if the text is no such id. */
    private static @Nullable Long cursor(String text) {
        Long id = Query.asNumber(text);
        return id != null && id > 0 ? id : null;
    }

    /** The id in the path. */
    private static long id(AppCall call) {
        Long id = Query.asNumber(call.ctx().pathParam("id"));
        if (id == null) {
            throw unknown();
        }
        return id;
    }

    /** The id in the path of a call that takes no members. */
    private static long idWithoutMembers(AppCall call) {
        long id = id(call);
        Body.readNone(call.ctx());
        return id;
    }

    private static RejectedRequest unknown() {
        return new RejectedRequest(ErrorResponse.of(ErrorCode.NOT_FOUND, "There is no request with this id."));
    }
}
