package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.RequestJson;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.domain.custodian.PaperSetupDocument;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian.ListedCustodian;
import dev.agentpolicy.domain.usecase.custodian.ConnectRequest;
import dev.agentpolicy.domain.usecase.custodian.ObservePortfolio;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation.Reconciliation;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Answers calls about a user's custodians (docs/reference/custodians.md). */
final class CustodianEndpoints {
    private static final int CREATED = 201;

    private final ConnectCustodian connectCustodian;
    private final ObservePortfolio observePortfolio;
    private final ReadState readState;
    private final ReadReconciliation readReconciliation;
    private final Executor asking;
    private final InstantSource clock;

    CustodianEndpoints(AppUseCases useCases, InstantSource clock) {
        this.connectCustodian = useCases.connectCustodian();
        this.observePortfolio = useCases.observePortfolio();
        this.readState = useCases.readState();
        this.readReconciliation = useCases.readReconciliation();
        this.asking = useCases.asking();
        this.clock = clock;
    }

    void list(AppCall call) {
        List<ListedCustodian> custodians = connectCustodian.list(call.user());
        call.answer(out -> out.array("custodians", custodians, this::write));
    }

    /** Replaces what a paper custodian holds. The answer is the same as that of GET /portfolio. */
    void replace(AppCall call) {
        String id = newId(call);
        call.read(
                sent -> PaperSetupDocument.read(id, sent, clock.instant()),
                setup -> call.answer(
                        200,
                        observePortfolio.observe(call.user(), setup),
                        (out, portfolio) -> HoldingsJson.write(out, readState.holdings(call.user()))));
    }

    void connect(AppCall call) {
        String id = newId(call);
        call.read(
                ConnectRequest::read,
                request -> call.answer(
                        CREATED, asking, () -> connectCustodian.connect(call.user(), id, request), this::write));
    }

    void sync(AppCall call) {
        withId(
                call,
                id -> call.readNone(
                        () -> call.answer(200, asking, () -> connectCustodian.sync(call.user(), id), this::write)));
    }

    void remove(AppCall call) {
        withId(call, id -> call.answerNothing(connectCustodian.remove(call.user(), id)));
    }

    void trade(AppCall call) {
        String id = newId(call);
        call.read(
                OwnTrade::read,
                trade -> call.answer(200, observePortfolio.trade(call.user(), id, trade), RequestJson::write));
    }

    void reconciliation(AppCall call) {
        Query query = call.query();
        int limit = query.integer("limit", 1, ReadReconciliation.MAX_LIMIT, ReadReconciliation.DEFAULT_LIMIT);
        Long before = RequestEndpoints.before(query);
        Reconciliation page = readReconciliation.read(call.user(), before, limit);
        call.answer(out -> RequestJson.write(out, page));
    }

    private void write(JsonWriter out, ListedCustodian custodian) {
        HoldingsJson.write(out, custodian, clock.instant());
    }

    /** The id in the path of a call that may create something under it. */
    private static String newId(AppCall call) {
        String id = call.ctx().pathParam("id");
        if (!CustodianHoldings.isId(id)) {
            throw RejectedRequest.parameter("id", "must be 1 to 64 of A-Z a-z 0-9 . _ -");
        }
        return id;
    }

    private static void withId(AppCall call, Consumer<String> work) {
        String id = call.ctx().pathParam("id");
        if (CustodianHoldings.isId(id)) {
            work.accept(id);
        } else {
            call.refuse(ErrorResponse.of(ErrorCode.NOT_FOUND, "There is no custodian with this id."));
        }
    }
}
