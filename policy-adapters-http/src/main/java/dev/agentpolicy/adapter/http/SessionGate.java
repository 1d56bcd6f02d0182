package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.agent.LookupThrottle;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.usecase.SignIn;
import dev.agentpolicy.domain.usecase.SignIn.Person;
import dev.agentpolicy.domain.usecase.SignIn.Session;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where every call of the app passes: no other site may make it, and most need a session (docs/reference/endpoints.md, Users). */
final class SessionGate {
    private static final String COOKIE = "policy_session";
    private static final int MAX_TOKEN = 128;

    private final SignIn signIn;
    private final FairShare share;
    private final InstantSource clock;
    private final Origins origins;
    private final ClientAddress address;
    private final SessionBudget budget = new SessionBudget();
    private final LookupThrottle unknown = new LookupThrottle();

    SessionGate(SignIn signIn, FairShare share, InstantSource clock, HttpConfig config) {
        this.signIn = signIn;
        this.share = share;
        this.clock = clock;
        this.origins = new Origins(config);
        this.address = new ClientAddress(config.trustsProxy());
    }

    /** Lets in who is signed in and has not used up the budget of the session. */
    Handler admit(Consumer<AppCall> work) {
        return admitAnyone(ctx -> {
            String token = token(ctx);
            if (token == null) {
                refuseStranger(ctx);
            } else {
                admit(ctx, token, work);
            }
        });
    }

    /**
     * A session that was found before is counted before the store is asked, so that calls beyond its budget cost the
     * store nothing; any other is counted once it is found.
     */
    private void admit(Context ctx, String token, Consumer<AppCall> work) {
        String session = Sha256.hex(token);
        boolean wasKnown = budget.isKnown(session);
        if (wasKnown ? !budget.admits(session, clock.instant()) : isGuessing(ctx)) {
            over(ctx);
            return;
        }
        Optional<Person> person = signIn.user(token);
        if (person.isEmpty()) {
            budget.forget(session);
            unknown.count(address.of(ctx), clock.instant());
            refuseStranger(ctx);
        } else if (wasKnown || budget.admits(session, clock.instant())) {
            AppCall call = new AppCall(ctx, person.get().id(), person.get().email());
            share.run(ctx, call.user(), () -> work.accept(call), call::refuse);
        } else {
            over(ctx);
        }
    }

    /** Whether the address has presented too many sessions of nobody for another one to be looked up. */
    private boolean isGuessing(Context ctx) {
        return unknown.isUsedUp(address.of(ctx), clock.instant());
    }

    private static void refuseStranger(Context ctx) {
        ErrorAnswer.of(ErrorCode.UNAUTHORIZED, "Sign in first.").send(ctx);
    }

    private static void over(Context ctx) {
        ErrorAnswer.of(SessionBudget.over()).send(ctx);
    }

    /** Lets anyone in but other sites, and calls that were meant for another host. */
    Handler admitAnyone(Handler handler) {
        return ctx -> {
            if (origins.isMisdirected(ctx)) {
                ErrorAnswer.misdirected().send(ctx);
            } else if (origins.isForeign(ctx)) {
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

    /** Ends the session of the call, if it has one; answers 204. */
    void close(Context ctx) {
        String token = token(ctx);
        if (token != null && !budget.isKnown(Sha256.hex(token))) {
            if (isGuessing(ctx)) {
                over(ctx);
                return;
            }
            unknown.count(address.of(ctx), clock.instant());
        }
        if (token != null) {
            signIn.signOut(token);
            budget.forget(Sha256.hex(token));
        }
        cookie(ctx, "", 0);
        ctx.status(204);
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
