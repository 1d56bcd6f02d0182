package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.ProfileJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.RequestMails;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.usecase.signin.ChangePassword;
import dev.agentpolicy.domain.usecase.signin.Login;
import dev.agentpolicy.domain.usecase.signin.MailLinks;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManageProfile;
import dev.agentpolicy.domain.usecase.signin.ManageProfile.Profile;
import io.javalin.http.Context;

/** Answers calls about the e-mail address of a user, the mails it gets, and the links in them. */
final class MailEndpoints {
    private static final int ACCEPTED = 202;
    private static final int NO_CONTENT = 204;

    private final ManageProfile profiles;
    private final ChangePassword passwords;
    private final MailLinks links;
    private final ManagePasskeys passkeys;
    private final SessionGate gate;

    MailEndpoints(
            ManageProfile profiles,
            ChangePassword passwords,
            MailLinks links,
            ManagePasskeys passkeys,
            SessionGate gate) {
        this.profiles = profiles;
        this.passwords = passwords;
        this.links = links;
        this.passkeys = passkeys;
        this.gate = gate;
    }

    void me(AppCall call) {
        answer(call, profiles.read(call.user()));
    }

    void choose(AppCall call) {
        call.read(MailEndpoints::requestMails, mails -> answer(call, profiles.choose(call.user(), mails)));
    }

    void changeEmail(AppCall call) {
        call.read(
                Login::readNewAddress,
                next -> Reply.either(
                        profiles.changeEmail(call.user(), next, gate.visitor(call.ctx())),
                        profile -> call.answer(out ->
                                out.text("email", profile.user().email()).text("pendingEmail", profile.pendingEmail())),
                        call::refuse));
    }

    void confirmEmail(Context ctx) {
        Body.readNone(
                ctx,
                () -> Reply.either(
                        profiles.confirmEmail(ctx.pathParam("token"), gate.visitor(ctx)),
                        profile -> ctx.status(NO_CONTENT),
                        refusal -> ErrorResponse.of(refusal).send(ctx)),
                wrong -> wrong.send(ctx));
    }

    void requestReset(Context ctx) {
        Body.read(
                ctx,
                Login::readAddress,
                email -> Reply.either(
                        links.reset(email, gate.visitor(ctx).network()),
                        any -> ctx.status(ACCEPTED),
                        refusal -> ErrorResponse.of(refusal).send(ctx)),
                wrong -> wrong.send(ctx));
    }

    void reset(Context ctx) {
        Body.read(
                ctx,
                Login::readNewPassword,
                password -> Reply.either(
                        passwords.reset(ctx.pathParam("token"), password),
                        user -> ctx.status(NO_CONTENT),
                        refusal -> ErrorResponse.of(refusal).send(ctx)),
                wrong -> wrong.send(ctx));
    }

    private static Reading<RequestMails> requestMails(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        RequestMails mails = fields.word("requestMails", RequestMails.class);
        fields.require("requestMails");
        return fields.finish(() -> Fields.present(mails));
    }

    private void answer(AppCall call, Profile profile) {
        OwnerPasskeys owned = passkeys.of(call.user());
        call.answer(out -> ProfileJson.write(out, profile, owned));
    }
}
