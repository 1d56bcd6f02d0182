package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.app.ConfirmedCalls.Confirmed;
import dev.agentpolicy.adapter.http.json.UserJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.Viewer;
import dev.agentpolicy.domain.agent.Viewer.ViewerRequest;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.usecase.signin.ManageViewers;
import dev.agentpolicy.domain.usecase.signin.ManageViewers.MadeViewer;
import dev.agentpolicy.domain.usecase.signin.ManageViewers.ViewerSession;
import io.javalin.http.Context;
import java.util.List;
import java.util.UUID;

/** Answers calls about who else may look at an account (docs/reference/viewers.md). */
record ViewerEndpoints(ManageViewers viewers, ConfirmedCalls confirmed, SessionGate gate) {
    private static final int CREATED = 201;
    private static final int MAX_TOKEN = 128;

    void make(AppCall call) {
        Confirmed<ViewerRequest> sent = confirmed.read(call, ViewerRequest::read);
        MadeViewer made = Reply.given(viewers.make(sent.owner(), sent.change()));
        String url = gate.address(call.ctx()) + "/sign-in#viewer=" + made.token();
        Reply.object(call.ctx(), CREATED, out -> {
            UserJson.viewer(out, made.viewer());
            out.text("url", url);
        });
    }

    void list(AppCall call) {
        List<Viewer> working = viewers.list(call.user());
        call.answer(out -> out.array("viewers", working, UserJson::viewer));
    }

    void revoke(AppCall call) {
        UUID id = Query.asUuid(call.ctx().pathParam("id"));
        if (id == null) {
            throw new RejectedRequest(ErrorResponse.of(ErrorCode.NOT_FOUND, "You have no viewer with this id."));
        }
        call.answerNothing(viewers.revoke(call.user(), id));
    }

    /** Opens a session for whoever has the address of a viewer. */
    void open(Context ctx) {
        ViewerSession session = gate.openViewer(ctx, Body.read(ctx, ViewerEndpoints::token));
        Reply.object(ctx, 200, out -> UserJson.seenBy(out, session.user(), session.viewer()));
    }

    private static Reading<String> token(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String token = fields.text("token", 1, MAX_TOKEN);
        fields.require("token");
        return fields.finish(() -> Fields.present(token));
    }
}
