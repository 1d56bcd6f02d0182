package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.app.ConfirmedCalls.Confirmed;
import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.RequestJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.PaperSetupDocument;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian.ListedCustodian;
import dev.agentpolicy.domain.usecase.custodian.ConnectRequest;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation.Reconciliation;
import java.time.InstantSource;
import java.util.List;

/** Answers calls about a user's custodians (docs/reference/custodians.md). */
record CustodianEndpoints(AppUseCases useCases, ConfirmedCalls confirmed, InstantSource clock) {
    private static final int CREATED = 201;

    void list(AppCall call) {
        List<ListedCustodian> custodians = useCases.connectCustodian().list(call.user());
        call.answer(out -> out.array("custodians", custodians, this::write));
    }

    /** Replaces what a paper custodian holds. The answer is the same as that of GET /portfolio. */
    void replace(AppCall call) {
        String id = newId(call);
        Confirmed<PaperSetup> sent = confirmed.read(call, body -> PaperSetupDocument.read(id, body, clock.instant()));
        call.answer(
                200,
                useCases.observePortfolio().observe(sent.owner(), sent.change()),
                (out, portfolio) -> HoldingsJson.write(out, useCases.readState().holdings(call.user())));
    }

    void connect(AppCall call) {
        String id = newId(call);
        Confirmed<ConnectRequest> sent = confirmed.read(call, ConnectRequest::read);
        ConnectCustodian connect = useCases.connectCustodian();
        call.answer(CREATED, useCases.asking(), () -> connect.connect(sent.owner(), id, sent.change()), this::write);
    }

    void sync(AppCall call) {
        String id = id(call);
        Body.readNone(call.ctx());
        ConnectCustodian connect = useCases.connectCustodian();
        call.answer(200, useCases.asking(), () -> connect.sync(call.user(), id), this::write);
    }

    void remove(AppCall call) {
        String id = id(call);
        call.answerNothing(useCases.connectCustodian().remove(confirmed.owner(call), id));
    }

    void trade(AppCall call) {
        String id = newId(call);
        Confirmed<OwnTrade> sent = confirmed.read(call, OwnTrade::read);
        call.answer(200, useCases.observePortfolio().trade(sent.owner(), id, sent.change()), RequestJson::write);
    }

    void reconciliation(AppCall call) {
        Query query = call.query();
        int limit = query.integer("limit", 1, ReadReconciliation.MAX_LIMIT, ReadReconciliation.DEFAULT_LIMIT);
        Long before = RequestEndpoints.before(query);
        Reconciliation page = useCases.readReconciliation().read(call.user(), before, limit);
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

    /** The id in the path of a call about a custodian. */
    private static String id(AppCall call) {
        String id = call.ctx().pathParam("id");
        if (!CustodianHoldings.isId(id)) {
            throw new RejectedRequest(ErrorResponse.of(ErrorCode.NOT_FOUND, "There is no custodian with this id."));
        }
        return id;
    }
}
