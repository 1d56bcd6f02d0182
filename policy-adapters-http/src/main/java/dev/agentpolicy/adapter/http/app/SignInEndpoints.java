package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usecase.signin.Login;
import dev.agentpolicy.domain.usecase.signin.SignIn;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import dev.agentpolicy.domain.usecase.signin.SignUp;
import io.javalin.http.Context;

/** Answers calls that sign a user up, in and out. */
final class SignInEndpoints {
    private static final int CREATED = 201;

    private final SignUp signUp;
    private final SignIn signIn;
    private final SessionGate gate;

    SignInEndpoints(SignUp signUp, SignIn signIn, SessionGate gate) {
        this.signUp = signUp;
        this.signIn = signIn;
        this.gate = gate;
    }

    void signUp(Context ctx) {
        Body.read(
                ctx,
                Login::readNew,
                login -> Reply.either(
                        signUp.signUp(login, gate.visitor(ctx).network()),
                        user -> Reply.object(ctx, CREATED, out -> user(out, user)),
                        refusal -> ErrorResponse.of(refusal).send(ctx)),
                wrong -> wrong.send(ctx));
    }

    void signIn(Context ctx) {
        Body.read(
                ctx,
                Login::read,
                login -> Reply.either(
                        signIn.signIn(login, gate.visitor(ctx)),
                        session -> open(ctx, session, login.email()),
                        refusal -> ErrorResponse.of(refusal).send(ctx)),
                wrong -> wrong.send(ctx));
    }

    void signOut(Context ctx) {
        gate.close(ctx);
    }

    private void open(Context ctx, Session session, String email) {
        gate.open(ctx, session);
        Reply.object(ctx, 200, out -> person(out, session.userId(), email));
    }

    static void person(JsonWriter out, UserId user, String email) {
        user(out, user);
        out.text("email", email);
    }

    private static void user(JsonWriter out, UserId user) {
        out.text("userId", user.toString());
    }
}
