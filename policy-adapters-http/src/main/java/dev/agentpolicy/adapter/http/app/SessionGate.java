package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ClientAddress;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.LookupThrottle;
import dev.agentpolicy.domain.agent.Viewer;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.port.signin.Sessions.SessionOrigin;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.OwnerBrowser;
import dev.agentpolicy.domain.usecase.signin.ManageViewers;
import dev.agentpolicy.domain.usecase.signin.ManageViewers.ViewerSession;
import dev.agentpolicy.domain.usecase.signin.SignIn;
import dev.agentpolicy.domain.usecase.signin.SignIn.Person;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The gate that every call of the app API passes. Calls of other sites are refused, and most calls need a session
 * (docs/reference/sign-in.md).
 *
 * <p>A call with two session cookies is refused. A browser sends a second one only if it was planted, from a sibling
 * domain or over plain http, and the service cannot know which one belongs to the user.
 *
 * <p>A session of a viewer is admitted only where a handler says so (docs/reference/viewers.md).
 */
final class SessionGate {
    private static final ErrorResponse TWO_SESSIONS = ErrorResponse.of(
            ErrorCode.UNAUTHORIZED,
            "Two session cookies came with this call, so neither is used; delete the cookies of this site and sign in.");
    private static final ErrorResponse ONLY_VIEWS = ErrorResponse.of(
            ErrorCode.VIEWER, "You may look at this account; only its owner may do this or read this.");
    private static final int MAX_TOKEN = 128;

    private final SignIn signIn;
    private final ManageViewers viewers;
    private final FairShare share;
    private final InstantSource clock;
    private final Origins origins;
    private final ClientAddress address;
    private final Budgets calls = new Budgets(CallBudget.ofSessions(), CallBudget.ofUsers());
    /** Streams are not counted among the calls, but each costs a look-up. */
    private final Budgets streams = new Budgets(CallBudget.ofSessions(), CallBudget.ofUsers());

    private final LookupThrottle unknown = new LookupThrottle();

    SessionGate(SignIn signIn, ManageViewers viewers, FairShare share, InstantSource clock, HttpConfig config) {
        this.signIn = signIn;
        this.viewers = viewers;
        this.share = share;
        this.clock = clock;
        this.origins = new Origins(config);
        this.address = new ClientAddress(config.trustsProxy());
    }

    /** What calls of one kind are counted by. */
    private record Budgets(CallBudget ofSession, CallBudget ofUser) {}

    /** Admits users who are signed in and within the budgets of their session and of all their sessions. */
    Handler admit(Consumer<AppCall> work) {
        return admit(calls, false, shared(work));
    }

    /** As {@link #admit}, and admits viewers. */
    Handler admitViewers(Consumer<AppCall> work) {
        return admit(calls, true, shared(work));
    }

    private Consumer<AppCall> shared(Consumer<AppCall> work) {
        return call -> share.run(call.ctx(), call.user(), () -> work.accept(call));
    }

    /** Admits users who are signed in to a call that takes its turns among the reads by itself. */
    Handler admitUnshared(Consumer<AppCall> work) {
        return admit(calls, false, work);
    }

    /** As {@link #admitUnshared}, and admits viewers, who download nothing. */
    Handler admitViewersUnshared(Consumer<AppCall> work) {
        return admit(calls, true, work);
    }

    /** Refuses a call that viewers may not make, of a handler that admits them to others. */
    static void refuseViewers(AppCall call) {
        if (call.viewer() != null) {
            throw new RejectedRequest(ONLY_VIEWS);
        }
    }

    /** Admits users who are signed in to a call whose body may be {@linkplain Body#allowLarge large}. */
    Handler admitLarge(Consumer<AppCall> work) {
        Handler admitting = admit(work);
        return ctx -> {
            Body.allowLarge(ctx);
            admitting.handle(ctx);
        };
    }

    /** Admits users who are signed in, and viewers, to a stream, which is counted by itself and takes no turn among the reads. */
    Handler admitStream(Consumer<AppCall> work) {
        return admit(streams, true, work);
    }

    /**
     * Admits users who are signed in to a call that keeps agents from doing more, or ends that. Neither a budget nor
     * other calls of the user hold it up.
     */
    Handler admitAlways(Consumer<AppCall> work) {
        return admit(null, false, work);
    }

    private Handler admit(@Nullable Budgets counted, boolean isForViewers, Consumer<AppCall> work) {
        return unambiguous(ctx -> {
            AppCall call = admitted(ctx, counted);
            if (!isForViewers) {
                refuseViewers(call);
            }
            Body.await(ctx, () -> work.accept(call));
        });
    }

    /**
     * Finds the session of a call. A known session is counted before the store is asked, so that calls beyond its budget
     * cost the store nothing. Other sessions, and users, are counted once they are found.
     *
     * @param counted null for a call that is not counted
     * @throws RejectedRequest for strangers and for calls beyond a budget
     */
    private AppCall admitted(Context ctx, @Nullable Budgets counted) {
        String token = token(ctx, CookieKind.SESSION);
        if (token == null) {
            throw stranger();
        }
        String session = Sha256.hex(token);
        CallBudget known = counted == null ? calls.ofSession : counted.ofSession;
        boolean wasKnown = known.isKnown(session);
        boolean isCounted = wasKnown && counted != null;
        if (isCounted ? !known.admits(session, clock.instant()) : !wasKnown && isGuessing(ctx)) {
            throw over(known);
        }
        Person person = signIn.user(token).orElse(null);
        Viewer viewer = person == null || person.viewer() == null
                ? null
                : viewers.working(person.id(), person.viewer()).orElse(null);
        if (person == null || person.viewer() != null && viewer == null) {
            forget(session);
            unknown.count(address.of(ctx), clock.instant());
            throw stranger();
        }
        if (counted != null && !isCounted && !known.admits(session, clock.instant())) {
            throw over(known);
        }
        if (counted != null && !counted.ofUser.admits(person.id().toString(), clock.instant())) {
            throw over(counted.ofUser);
        }
        return new AppCall(ctx, person.id(), person.email(), session, viewer);
    }

    private void forget(String session) {
        calls.ofSession.forget(session);
        streams.ofSession.forget(session);
    }

    /** Whether an address has presented too many unknown sessions to look up another one. */
    private boolean isGuessing(Context ctx) {
        return unknown.isUsedUp(address.of(ctx), clock.instant());
    }

    private static RejectedRequest stranger() {
        return new RejectedRequest(ErrorResponse.of(ErrorCode.UNAUTHORIZED, "Sign in first."));
    }

    private static RejectedRequest over(CallBudget budget) {
        return new RejectedRequest(ErrorResponse.of(budget.over()));
    }

    /** Admits every caller except other sites and callers with two session cookies. */
    Handler admitUnambiguous(Consumer<Context> work) {
        return unambiguous(ctx -> Body.await(ctx, () -> work.accept(ctx)));
    }

    private Handler unambiguous(Consumer<Context> work) {
        return ofThisSite(ctx -> {
            if (values(ctx, CookieKind.SESSION).size() > 1) {
                throw new RejectedRequest(TWO_SESSIONS);
            }
            work.accept(ctx);
        });
    }

    /** Admits every caller except other sites and calls meant for another host. */
    Handler admitAnyone(Consumer<Context> work) {
        return ofThisSite(ctx -> Body.await(ctx, () -> work.accept(ctx)));
    }

    private Handler ofThisSite(Consumer<Context> work) {
        return ctx -> {
            if (origins.isMisdirected(ctx)) {
                throw new RejectedRequest(ErrorResponse.misdirected());
            }
            if (origins.isForeign(ctx)) {
                throw new RejectedRequest(
                        ErrorResponse.of(ErrorCode.FORBIDDEN, "Only pages of this service may do this."));
            }
            work.accept(ctx);
        };
    }

    /** The browser that makes a call. */
    Visitor visitor(Context ctx) {
        return new Visitor(
                address.network(ctx),
                token(ctx, CookieKind.SESSION),
                token(ctx, CookieKind.DEVICE),
                new SessionOrigin(address.of(ctx), ctx.header("User-Agent")));
    }

    /** The console that a call came from, as passkeys know it. */
    RelyingParty party(Context ctx) {
        return origins.party(ctx);
    }

    OwnerBrowser browser(AppCall call) {
        return new OwnerBrowser(call.user(), visitor(call.ctx()), party(call.ctx()));
    }

    void open(Context ctx, Session session) {
        set(ctx, CookieKind.SESSION, session.token(), SignIn.MAX_SESSION.toSeconds());
        set(ctx, CookieKind.DEVICE, session.device(), SignIn.MAX_DEVICE_AGE.toSeconds());
    }

    /** Opens a session for whoever has the token of a viewer. Unknown tokens are counted as unknown sessions are. */
    ViewerSession openViewer(Context ctx, String viewerToken) {
        if (isGuessing(ctx)) {
            throw over(calls.ofSession);
        }
        Answer<ViewerSession> opened = viewers.open(viewerToken, visitor(ctx));
        if (opened.refusal() != null) {
            unknown.count(address.of(ctx), clock.instant());
        }
        ViewerSession session = Reply.given(opened);
        long seconds = Duration.between(clock.instant(), session.expiresAt()).toSeconds();
        set(ctx, CookieKind.SESSION, session.token(), seconds);
        return session;
    }

    /** The address of the console, without a path. */
    String address(Context ctx) {
        return origins.console(ctx);
    }

    /** Ends every session whose cookie came with the call, and answers 204. The device cookie stays valid. */
    void close(Context ctx) {
        List<String> tokens = values(ctx, CookieKind.SESSION).stream()
                .filter(SessionGate::isToken)
                .toList();
        boolean isUnknown = tokens.stream().anyMatch(token -> !calls.ofSession.isKnown(Sha256.hex(token)));
        if (isUnknown && isGuessing(ctx)) {
            throw over(calls.ofSession);
        }
        if (isUnknown) {
            unknown.count(address.of(ctx), clock.instant());
        }
        for (String token : tokens) {
            signIn.signOut(token);
            forget(Sha256.hex(token));
        }
        set(ctx, CookieKind.SESSION, "", 0);
        ctx.status(204);
    }

    /** A purpose of cookies, with the name without prefix. */
    private enum CookieKind {
        SESSION("policy_session"),
        DEVICE("policy_device");

        private final String plainName;

        CookieKind(String plainName) {
            this.plainName = plainName;
        }
    }

    private List<String> values(Context ctx, CookieKind kind) {
        return origins.cookies(ctx, kind.plainName);
    }

    /** The token in the cookie of a kind; null unless there is exactly one. */
    private @Nullable String token(Context ctx, CookieKind kind) {
        List<String> values = values(ctx, kind);
        return values.size() == 1 && isToken(values.get(0)) ? values.get(0) : null;
    }

    private static boolean isToken(String value) {
        return !value.isEmpty() && value.length() <= MAX_TOKEN;
    }

    private void set(Context ctx, CookieKind kind, String token, long maxAgeSeconds) {
        origins.setCookie(ctx, kind.plainName, token, maxAgeSeconds, "Strict");
    }

    /** The token of the browser that asked for a connection; null for none. */
    @Nullable
    String connecting(Context ctx) {
        return origins.connecting(ctx);
    }
}
