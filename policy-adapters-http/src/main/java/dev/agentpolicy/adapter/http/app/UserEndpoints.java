package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.UserJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.RequestNotices;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.agent.Viewer;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.usecase.signin.ChangePassword.PasswordChange;
import dev.agentpolicy.domain.usecase.signin.Login;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Demanded;
import dev.agentpolicy.domain.usecase.signin.ManageProfile.Profile;
import dev.agentpolicy.domain.usecase.signin.ManageSessions.OpenSession;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import io.javalin.http.Context;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Answers calls about who a user is: signing up, in and out, sessions, password, address and notices. */
record UserEndpoints(AppUseCases useCases, SessionGate gate) {
    private static final int CREATED = 201;
    private static final int ACCEPTED = 202;
    private static final int NO_CONTENT = 204;

    void signUp(Context ctx) {
        Login login = Body.read(ctx, Login::readNew);
        UserId user =
                Reply.given(useCases.signUp().signUp(login, gate.visitor(ctx).network()));
        Reply.object(ctx, CREATED, out -> out.text("userId", user.toString()));
    }

    void signIn(Context ctx) {
        Login login = Body.read(ctx, Login::read);
        opened(ctx, Reply.given(useCases.signIn().signIn(login, gate.visitor(ctx))), login.email());
    }

    /** Hands a session that was opened to the browser. */
    void opened(Context ctx, Session session, String email) {
        gate.open(ctx, session);
        Reply.object(
                ctx, 200, out -> out.text("userId", session.userId().toString()).text("email", email));
    }

    void sessions(AppCall call) {
        List<OpenSession> open = useCases.manageSessions().list(call.user(), call.session());
        call.answer(out -> out.array("sessions", open, UserJson::session));
    }

    void endSession(AppCall call) {
        UUID id = Query.asUuid(call.ctx().pathParam("id"));
        if (id == null) {
            throw new RejectedRequest(ErrorResponse.of(ErrorCode.NOT_FOUND, "There is no open session with this id."));
        }
        call.answerNothing(useCases.manageSessions().end(call.user(), id));
    }

    void endOtherSessions(AppCall call) {
        useCases.manageSessions().endOthers(call.user(), call.session());
        call.ctx().status(NO_CONTENT);
    }

    void changePassword(AppCall call) {
        PasswordChange change = Body.read(call.ctx(), PasswordChange::read);
        call.answerNothing(useCases.changePassword().change(call.user(), change, gate.visitor(call.ctx())));
    }

    void requestReset(Context ctx) {
        String email = Body.read(ctx, Login::readAddress);
        Reply.given(useCases.mailLinks().reset(email, gate.visitor(ctx).network()));
        ctx.status(ACCEPTED);
    }

    void resetPassword(Context ctx) {
        String password = Body.read(ctx, Login::readNewPassword);
        gate.countStranger(ctx);
        Reply.given(useCases.changePassword().reset(ctx.pathParam("token"), password));
        ctx.status(NO_CONTENT);
    }

    void profile(AppCall call) {
        Viewer viewer = call.viewer();
        if (viewer != null) {
            call.answer(out -> UserJson.seenBy(out, call.user(), viewer));
            return;
        }
        answer(call, useCases.manageProfile().read(call.user()));
    }

    void chooseNotices(AppCall call) {
        UnaryOperator<NoticeSettings> change = Body.read(call.ctx(), UserEndpoints::notices);
        answer(call, useCases.manageProfile().choose(call.user(), change));
    }

    /** Either all settings, or the mails alone. */
    private static Reading<UnaryOperator<NoticeSettings>> notices(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        NoticeSettings all = fields.object("notices", NoticeSettings::read);
        RequestNotices mails = fields.word("requestMails", RequestNotices.class);
        if (!fields.has("notices")) {
            fields.require("requestMails");
        } else if (mails != null) {
            fields.problem("requestMails", "must not stand beside notices, which has mail");
        }
        return fields.finish(() -> before -> mails == null ? Fields.present(all) : before.withMail(mails));
    }

    private void answer(AppCall call, Profile profile) {
        Demanded demanded = useCases.managePasskeys().demanded(call.user());
        call.answer(out -> UserJson.profile(out, profile, demanded));
    }

    void changeEmail(AppCall call) {
        Login next = Body.read(call.ctx(), Login::readNewAddress);
        Profile profile =
                Reply.given(useCases.manageProfile().changeEmail(call.user(), next, gate.visitor(call.ctx())));
        call.answer(out -> out.text("email", profile.user().email()).text("pendingEmail", profile.pendingEmail()));
    }

    void confirmEmail(Context ctx) {
        Body.readNone(ctx);
        gate.countStranger(ctx);
        Reply.given(useCases.manageProfile().confirmEmail(ctx.pathParam("token"), gate.visitor(ctx)));
        ctx.status(NO_CONTENT);
    }
}
