package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.usecase.SignIn;
import dev.agentpolicy.domain.usecase.SignIn.Session;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where every call of the app passes: no other site may make it, and most need a session (contract, section 6). */
final class SessionGate {
    private static final String COOKIE = "policy_session";
    private static final int MAX_TOKEN = 128;

    private final SignIn signIn;
    private final Origins origins;

    SessionGate(SignIn signIn, HttpConfig config) {
        this.signIn = signIn;
        this.origins = new Origins(config);
    }

    /** Lets in who is signed in. */
    Handler admit(Consumer<AppCall> work) {
        return admitAnyone(ctx -> {
            String token = token(ctx);
            AppCall call = token == null
                    ? null
                    : signIn.user(token)
                            .map(user -> new AppCall(ctx, user.id(), user.email()))
                            .orElse(null);
            if (call == null) {
                ErrorAnswer.of(ErrorCode.UNAUTHORIZED, "Sign in first.").send(ctx);
            } else {
                work.accept(call);
            }
        });
    }

    /** Lets anyone in but other sites. */
    Handler admitAnyone(Handler handler) {
        return ctx -> {
            if (origins.isForeign(ctx)) {
                ErrorAnswer.of(ErrorCode.FORBIDDEN, "Only pages of this service may do this.")
                        .send(ctx);
            } else {
                handler.handle(ctx);
            }
        };
    }

    void open(Context ctx, Session session) {
        cookie(ctx, session.token(), SignIn.SESSION.toSeconds());
    }

    /** Ends the session of the call, if it has one. */
    void close(Context ctx) {
        String token = token(ctx);
        if (token != null) {
            signIn.signOut(token);
        }
        cookie(ctx, "", 0);
    }

    private void cookie(Context ctx, String token, long maxAge) {
        String secure = origins.isHttps(ctx) ? "; Secure" : "";
        ctx.header(
                "Set-Cookie",
                COOKIE + "=" + token + "; Path=/; Max-Age=" + maxAge + "; HttpOnly; SameSite=Strict" + secure);
    }

    private static @Nullable String token(Context ctx) {
        String token = ctx.cookie(COOKIE);
        return token == null || token.isEmpty() || token.length() > MAX_TOKEN ? null : token;
    }
}
