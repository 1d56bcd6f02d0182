package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.app.Cookies.CookieKind;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ClientAddress;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.domain.agent.LookupThrottle;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.signin.Sessions.SessionOrigin;
import dev.agentpolicy.domain.usecase.signin.SignIn;
import dev.agentpolicy.domain.usecase.signin.SignIn.Person;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The gate that every call of the app API passes. Calls of other sites are refused, and most calls need a session
 * (docs/reference/sign-in.md).
 *
 * <p>A call with two session cookies is refused. A browser sends a second one only if it was planted, from a sibling
 * domain or over plain http, and the service cannot know which one belongs to the user.
 */
final class SessionGate {
    private static final ErrorResponse TWO_SESSIONS = ErrorResponse.of(
            ErrorCode.UNAUTHORIZED,
            "Two session cookies came with this call, so neither is used; delete the cookies of this site and sign in.");

    private final SignIn signIn;
    private final FairShare share;
    private final InstantSource clock;
    private final Origins origins;
    private final Cookies cookies;
    private final ClientAddress address;
    private final Budgets calls = new Budgets(CallBudget.ofSessions(), CallBudget.ofUsers());
    /** Streams are not counted among the calls, but each costs a look-up. */
    private final Budgets streams = new Budgets(CallBudget.ofSessions(), CallBudget.ofUsers());

    private final LookupThrottle unknown = new LookupThrottle();

    SessionGate(SignIn signIn, FairShare share, InstantSource clock, HttpConfig config) {
        this.signIn = signIn;
        this.share = share;
        this.clock = clock;
        this.origins = new Origins(config);
        this.cookies = new Cookies(origins);
        this.address = new ClientAddress(config.trustsProxy());
    }

    /** What calls of one kind are counted by. */
    private record Budgets(CallBudget ofSession, CallBudget ofUser) {}

    /** Admits users who are signed in and within the budgets of their session and of all their sessions. */
    Handler admit(Consumer<AppCall> work) {
        return admit(
                calls, (call, session) -> share.run(call.ctx(), call.user(), () -> work.accept(call), call::refuse));
    }

    /** As {@link #admit(Consumer)}, with the hash of the session's token. */
    Handler admitSession(BiConsumer<AppCall, String> work) {
        return admit(
                calls,
                (call, session) -> share.run(call.ctx(), call.user(), () -> work.accept(call, session), call::refuse));
    }

    /**
     * Admits users who are signed in to a call that takes its turns among the reads by itself.
     *
     * @param work takes the call and the hash of the session's token
     */
    Handler admitUnshared(BiConsumer<AppCall, String> work) {
        return admit(calls, work);
    }

    /**
     * Admits users who are signed in to a stream, which is counted by itself and takes no turn among the reads.
     *
     * @param work takes the call and the hash of the session's token
     */
    Handler admitStream(BiConsumer<AppCall, String> work) {
        return admit(streams, work);
    }

    /**
     * Admits users who are signed in to a call that keeps agents from doing more, or ends that. Neither a budget nor
     * other calls of the user hold it up.
     */
    Handler admitAlways(Consumer<AppCall> work) {
        return admit(null, (call, session) -> work.accept(call));
    }

    private Handler admit(@Nullable Budgets counted, BiConsumer<AppCall, String> work) {
        return unambiguous(ctx -> {
            String token = cookies.token(ctx, CookieKind.SESSION).orElse(null);
            if (token == null) {
                refuseStranger(ctx);
            } else {
                admit(ctx, token, counted, work);
            }
        });
    }

    /**
     * Counts a known session before the store is asked, so that calls beyond its budget cost the store nothing. Other
     * sessions, and users, are counted once they are found.
     *
     * @param counted null for a call that is not counted
     */
    private void admit(Context ctx, String token, @Nullable Budgets counted, BiConsumer<AppCall, String> work) {
        String session = Sha256.hex(token);
        CallBudget known = counted == null ? calls.ofSession : counted.ofSession;
        boolean wasKnown = known.isKnown(session);
        boolean isCounted = wasKnown && counted != null;
        if (isCounted ? !known.admits(session, clock.instant()) : !wasKnown && isGuessing(ctx)) {
            over(ctx, known);
            return;
        }
        Optional<Person> person = signIn.user(token);
        if (person.isEmpty()) {
            forget(session);
            unknown.count(address.of(ctx), clock.instant());
            refuseStranger(ctx);
            return;
        }
        UserId user = person.get().id();
        if (counted != null && !isCounted && !known.admits(session, clock.instant())) {
            over(ctx, known);
        } else if (counted != null && !counted.ofUser.admits(user.toString(), clock.instant())) {
            over(ctx, counted.ofUser);
        } else {
            AppCall call = new AppCall(ctx, user, person.get().email());
            Body.await(ctx, () -> work.accept(call, session));
        }
    }

    private void forget(String session) {
        calls.ofSession.forget(session);
        streams.ofSession.forget(session);
    }

    /** Whether an address has presented too many unknown sessions to look up another one. */
    private boolean isGuessing(Context ctx) {
        return unknown.isUsedUp(address.of(ctx), clock.instant());
    }

    private static void refuseStranger(Context ctx) {
        ErrorResponse.of(ErrorCode.UNAUTHORIZED, "Sign in first.").send(ctx);
    }

    private static void over(Context ctx, CallBudget budget) {
        ErrorResponse.of(budget.over()).send(ctx);
    }

    /** Admits every caller except other sites and callers with two session cookies. */
    Handler admitUnambiguous(Consumer<Context> work) {
        return unambiguous(ctx -> Body.await(ctx, () -> work.accept(ctx)));
    }

    private Handler unambiguous(Consumer<Context> work) {
        return ofThisSite(ctx -> {
            if (cookies.values(ctx, CookieKind.SESSION).size() > 1) {
                TWO_SESSIONS.send(ctx);
            } else {
                work.accept(ctx);
            }
        });
    }

    /** Admits every caller except other sites and calls meant for another host. */
    Handler admitAnyone(Consumer<Context> work) {
        return ofThisSite(ctx -> Body.await(ctx, () -> work.accept(ctx)));
    }

    private Handler ofThisSite(Consumer<Context> work) {
        return ctx -> {
            if (origins.isMisdirected(ctx)) {
                ErrorResponse.misdirected().send(ctx);
            } else if (origins.isForeign(ctx)) {
                ErrorResponse.of(ErrorCode.FORBIDDEN, "Only pages of this service may do this.")
                        .send(ctx);
            } else {
                work.accept(ctx);
            }
        };
    }

    /** The browser that makes a call. */
    Visitor visitor(Context ctx) {
        return Visitor.at(address.network(ctx), new SessionOrigin(address.of(ctx), ctx.header("User-Agent")))
                .withSession(cookies.token(ctx, CookieKind.SESSION).orElse(null))
                .withDevice(cookies.token(ctx, CookieKind.DEVICE).orElse(null));
    }

    void open(Context ctx, Session session) {
        cookies.set(ctx, CookieKind.SESSION, session.token(), SignIn.MAX_SESSION.toSeconds());
        cookies.set(ctx, CookieKind.DEVICE, session.device(), SignIn.MAX_DEVICE_AGE.toSeconds());
    }

    /** Ends every session whose cookie came with the call, and answers 204. The device cookie stays valid. */
    void close(Context ctx) {
        List<String> tokens = cookies.values(ctx, CookieKind.SESSION).stream()
                .filter(Cookies::isToken)
                .toList();
        boolean isUnknown = tokens.stream().anyMatch(token -> !calls.ofSession.isKnown(Sha256.hex(token)));
        if (isUnknown && isGuessing(ctx)) {
            over(ctx, calls.ofSession);
            return;
        }
        if (isUnknown) {
            unknown.count(address.of(ctx), clock.instant());
        }
        for (String token : tokens) {
            signIn.signOut(token);
            forget(Sha256.hex(token));
        }
        cookies.set(ctx, CookieKind.SESSION, "", 0);
        ctx.status(204);
    }
}
