package dev.agentpolicy.adapter.http;

import dev.agentpolicy.adapter.http.Cookies.Kind;
import dev.agentpolicy.domain.usecase.SignIn;
import dev.agentpolicy.domain.usecase.SignIn.Session;
import dev.agentpolicy.domain.usecase.SignIn.Visitor;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.function.Consumer;

/**
 * Where every call of the app passes: no other site may make it, and most need a session (docs/reference/sign-in.md).
 *
 * <p>A call with two session cookies is refused. A browser sends a second one only when somebody else planted it, on a
 * sibling domain or by plain http, and the service cannot tell which of them is the user's.
 */
final class SessionGate {
    private static final ErrorAnswer TWO_SESSIONS = ErrorAnswer.of(
            ErrorCode.UNAUTHORIZED,
            "Two session cookies came with this call, so neither is used; delete the cookies of this site and sign in.");

    private final SignIn signIn;
    private final Origins origins;
    private final Cookies cookies;
    private final ClientAddress address;

    SessionGate(SignIn signIn, HttpConfig config) {
        this.signIn = signIn;
        this.origins = new Origins(config);
        this.cookies = new Cookies(origins);
        this.address = new ClientAddress(config.trustsProxy());
    }

    /** Lets in who is signed in. */
    Handler admit(Consumer<AppCall> work) {
        return admitUnambiguous(ctx -> {
            AppCall call = cookies.token(ctx, Kind.SESSION)
                    .flatMap(signIn::user)
                    .map(user -> new AppCall(ctx, user.id(), user.email()))
                    .orElse(null);
            if (call == null) {
                ErrorAnswer.of(ErrorCode.UNAUTHORIZED, "Sign in first.").send(ctx);
            } else {
                work.accept(call);
            }
        });
    }

    /** Lets in anyone but other sites and callers with two sessions. */
    Handler admitUnambiguous(Handler handler) {
        return admitAnyone(ctx -> {
            if (cookies.values(ctx, Kind.SESSION).size() > 1) {
                TWO_SESSIONS.send(ctx);
            } else {
                handler.handle(ctx);
            }
        });
    }

    /** Lets in anyone but other sites. */
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

    /** The browser of a call. */
    Visitor visitor(Context ctx) {
        return Visitor.at(address.network(ctx))
                .withSession(cookies.token(ctx, Kind.SESSION).orElse(null))
                .withDevice(cookies.token(ctx, Kind.DEVICE).orElse(null));
    }

    void open(Context ctx, Session session) {
        cookies.set(ctx, Kind.SESSION, session.token(), SignIn.MAX_SESSION.toSeconds());
        cookies.set(ctx, Kind.DEVICE, session.device(), SignIn.DEVICE.toSeconds());
    }

    /** Ends every session whose cookie came with the call; the device stays known. */
    void close(Context ctx) {
        cookies.values(ctx, Kind.SESSION).stream().filter(Cookies::isToken).forEach(signIn::signOut);
        cookies.set(ctx, Kind.SESSION, "", 0);
    }
}
