package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.SessionJson;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.usecase.signin.ChangePassword;
import dev.agentpolicy.domain.usecase.signin.ChangePassword.PasswordChange;
import dev.agentpolicy.domain.usecase.signin.ManageSessions;
import dev.agentpolicy.domain.usecase.signin.ManageSessions.OpenSession;
import java.util.List;
import java.util.UUID;

/** Answers calls about the sessions of a user, and changes of the password, which end sessions. */
final class SessionEndpoints {
    private static final int NO_CONTENT = 204;

    private final ManageSessions sessions;
    private final ChangePassword changePassword;
    private final SessionGate gate;

    SessionEndpoints(ManageSessions sessions, ChangePassword changePassword, SessionGate gate) {
        this.sessions = sessions;
        this.changePassword = changePassword;
        this.gate = gate;
    }

    void list(AppCall call, String session) {
        List<OpenSession> open = sessions.list(call.user(), session);
        call.answer(out -> out.array("sessions", open, SessionJson::write));
    }

    void end(AppCall call) {
        UUID id = Query.asUuid(call.ctx().pathParam("id"));
        if (id == null) {
            call.refuse(ErrorResponse.of(ErrorCode.NOT_FOUND, "There is no open session with this id."));
        } else {
            Reply.either(sessions.end(call.user(), id), ended -> call.ctx().status(NO_CONTENT), call::refuse);
        }
    }

    void endOthers(AppCall call, String session) {
        sessions.endOthers(call.user(), session);
        call.ctx().status(NO_CONTENT);
    }

    void changePassword(AppCall call) {
        call.read(
                PasswordChange::read,
                change -> Reply.either(
                        changePassword.change(call.user(), change, gate.visitor(call.ctx())),
                        done -> call.ctx().status(NO_CONTENT),
                        call::refuse));
    }
}
