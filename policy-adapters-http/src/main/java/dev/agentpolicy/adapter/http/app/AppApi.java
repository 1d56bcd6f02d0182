package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.route.Access.PUBLIC;
import static dev.agentpolicy.adapter.http.route.Access.SESSION;

import dev.agentpolicy.adapter.http.agent.AgentOperations;
import dev.agentpolicy.adapter.http.agent.CallForm;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.agent.EventFeed;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.Downloads;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.event.tlog.LogPolicy.Witnessing;
import dev.agentpolicy.domain.usecase.agent.ReadLog;
import dev.agentpolicy.domain.usecase.agent.ReadLog.OwnLog;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/** The app API: everything a user can do (docs/reference/app-api.md), one row for each endpoint. */
public final class AppApi implements AutoCloseable {
    /** The path prefix of the app API. */
    static final String PREFIX = "/api/app/v1/";

    /** Whether a path is the one of a name, with the prefix or without it. */
    static boolean isPath(String path, String name) {
        return path.equals("/" + name) || path.equals(PREFIX + name);
    }

    /** At most one thread in four sends downloads. */
    private static final int THREADS_PER_DOWNLOAD = 4;

    /** A custodian that is silent holds up a call for a third of its time. */
    private static final int WAITS_IN_A_CALL = 3;

    private final SessionGate gate;
    private final AppUseCases useCases;
    private final UserEndpoints users;
    private final AccountEndpoints accounts;
    private final PasskeyEndpoints passkeys;
    private final ViewerEndpoints viewers;
    private final PushEndpoints push;
    private final PolicyEndpoints policy;
    private final RehearsalEndpoints rehearsal;
    private final CustodianEndpoints custodians;
    private final ConnectionEndpoints connections;
    private final RequestEndpoints requests;
    private final ActivityEndpoints activity;
    private final InboxEndpoints inbox;
    private final ChangeStreams streams;

    /** @param share limits reads, together with what the user's agents read */
    public AppApi(AppUseCases useCases, FairShare share, InstantSource clock, HttpConfig config) {
        this.gate = new SessionGate(useCases.signIn(), useCases.manageViewers(), share, clock, config);
        this.useCases = useCases;
        this.users = new UserEndpoints(useCases, gate);
        Downloads downloads = new Downloads(share, Math.max(1, config.limits().maxThreads() / THREADS_PER_DOWNLOAD));
        this.accounts = new AccountEndpoints(useCases, downloads, gate, clock);
        this.passkeys = new PasskeyEndpoints(useCases.managePasskeys(), useCases.rehearseIps(), users, gate);
        ConfirmedCalls confirmed = new ConfirmedCalls(useCases.managePasskeys(), gate);
        this.viewers = new ViewerEndpoints(useCases.manageViewers(), confirmed, gate);
        this.push = new PushEndpoints(useCases.managePush(), useCases.asking());
        this.policy = new PolicyEndpoints(useCases, confirmed);
        this.rehearsal = new RehearsalEndpoints(useCases, clock);
        this.custodians = new CustodianEndpoints(useCases, confirmed, clock);
        this.connections = new ConnectionEndpoints(useCases.answerConnection(), gate);
        this.requests = new RequestEndpoints(
                useCases, gate, config.limits().answerTimeout().dividedBy(WAITS_IN_A_CALL));
        this.activity = new ActivityEndpoints(useCases.readActivity(), share, downloads, clock);
        this.inbox = new InboxEndpoints(useCases.readInbox());
        this.streams =
                new ChangeStreams(useCases.manageSessions(), config.limits().maxStreams());
    }

    public List<Route> routes() {
        return List.of(
                open("POST", "users", "email, password", users::signUp),
                new Route("POST", PREFIX + "session", PUBLIC, "email, password", gate.admitUnambiguous(users::signIn)),
                open("DELETE", "session", "-", gate::close),
                view("me", "-", users::profile),
                row("PUT", "me", "requestMails, or notices", users::chooseNotices),
                row("POST", "me/email", "email, password", users::changeEmail),
                open("POST", "email-confirmation/{token}", "-", users::confirmEmail),
                open("POST", "password-reset", "email", users::requestReset),
                open("POST", "password-reset/{token}", "password", users::resetPassword),
                row("DELETE", "me", "password", accounts::delete),
                new Route("GET", PREFIX + "me/export", SESSION, "-", gate.admitUnshared(accounts::export)),
                row("POST", "me/password", "current, new", users::changePassword),
                row("GET", "push", "-", push::read),
                row("POST", "push", "subscription, name", push::add),
                row("DELETE", "push/{id}", "-", push::remove),
                row("GET", "sessions", "-", users::sessions),
                row("DELETE", "sessions", "-", users::endOtherSessions),
                row("DELETE", "sessions/{id}", "-", users::endSession),
                open("POST", "session/passkey/options", "-", passkeys::signInOptions),
                new Route(
                        "POST",
                        PREFIX + "session/passkey",
                        PUBLIC,
                        "AuthenticationResponseJSON",
                        gate.admitUnambiguous(passkeys::signIn)),
                row("POST", "confirmations", "method, path, body", passkeys::confirm),
                row(
                        "PUT",
                        "me/attestation",
                        "passkeyAboveUsd, confirmChanges, looseningDelayHours, confirmation",
                        passkeys::demand),
                row("GET", "passkeys", "-", passkeys::list),
                row("POST", "passkeys/options", "-", passkeys::options),
                row("POST", "passkeys", "name, credential, confirmation", passkeys::register),
                row("DELETE", "passkeys/{id}", "confirmation", passkeys::remove),
                row("POST", "viewers", "name, expiresInDays, confirmation", viewers::make),
                row("GET", "viewers", "-", viewers::list),
                always("DELETE", "viewers/{id}", "-", viewers::revoke),
                new Route("POST", PREFIX + "session/viewer", PUBLIC, "token", gate.admitUnambiguous(viewers::open)),
                view("ips", "-", policy::read),
                row("PUT", "ips", "IPS document, ignoreTests, confirmation; ifVersion", policy::put),
                always("DELETE", "ips/scheduled", "-", policy::cancelScheduled),
                view("ips/versions", "limit, cursor, documents", policy::versions),
                view("ips/versions/{n}", "-", policy::version),
                row("POST", "ips/preview", "IPS document, or document, days, limit", rehearsal::preview),
                new Route("POST", PREFIX + "ips/compare", SESSION, "from, to", gate.admitLarge(rehearsal::compare)),
                row("GET", "ips/shadow", "-", rehearsal::shadow),
                row("PUT", "ips/shadow", "document", rehearsal::replaceShadow),
                row("DELETE", "ips/shadow", "-", rehearsal::removeShadow),
                row("POST", "ips/shadow/promote", "since, ignoreTests, confirmation; ifVersion", policy::promoteShadow),
                row("GET", "ips/tests", "-", rehearsal::tests),
                new Route("PUT", PREFIX + "ips/tests", SESSION, "tests", gate.admitLarge(rehearsal::replaceTests)),
                new Route("POST", PREFIX + "ips/tests/run", SESSION, "document", gate.admitLarge(rehearsal::runTests)),
                always("POST", "pause", "cancelOrders, rejectWaiting", policy::pause),
                always("POST", "resume", "confirmation", policy::resume),
                row(
                        "POST",
                        "approvals",
                        "ruleId, agentKeyId, action, symbol, maxAmountUsd, until, maxUses, maxTotalUsd, confirmation",
                        policy::approve),
                row("POST", "ips/try", "TradePayload", rehearsal::tryTrade),
                view("portfolio", "-", accounts::holdings),
                view("portfolio/history", "days", accounts::history),
                row("POST", "portfolio/peak", "confirmation", accounts::beginPeak),
                view("custodians", "-", custodians::list),
                row(
                        "PUT",
                        "custodians/{id}",
                        "name, kind, cash, positions, prices, market, confirmation",
                        custodians::replace),
                row("DELETE", "custodians/{id}", "confirmation", custodians::remove),
                row(
                        "POST",
                        "custodians/{id}/connect",
                        "kind, name, environment, keyId, secretKey, confirmation",
                        custodians::connect),
                row("POST", "custodians/{id}/sync", "-", custodians::sync),
                row(
                        "POST",
                        "custodians/{id}/trades",
                        "action, symbol, assetType, quantity, price, confirmation",
                        custodians::trade),
                row(
                        "POST",
                        "keys",
                        "name, keyType, scopes, policy, expiresInDays, allowedCidrs, paused, confirmation",
                        policy::mintKey),
                row("GET", "keys", "-", policy::keys),
                row("PATCH", "keys/{id}", "name, policy, allowedCidrs, paused, confirmation", policy::changeKey),
                row("POST", "keys/{id}/rotate", "overlapMinutes, confirmation", policy::rotateKey),
                always("DELETE", "keys/{id}", "-", policy::revokeKey),
                row("POST", "keys/{id}/try", "TradePayload", rehearsal::tryTradeByKey),
                row("GET", "connections/{id}", "-", connections::read),
                row(
                        "POST",
                        "connections/{id}/approve",
                        "name, keyType, scopes, policy, expiresInDays, confirmation",
                        connections::approve),
                row("POST", "connections/{id}/deny", "-", connections::deny),
                view("requests", "status, limit, cursor", requests::list),
                view("requests/verdicts", "-", requests::verdicts),
                view("requests/{id}", "-", requests::read),
                always("POST", "requests/reject", "ids, agentKeyId, reason", requests::rejectMany),
                row("POST", "requests/accept", "ids, shown, passkey", requests::acceptTogether),
                row("POST", "requests/passkey-options", "ids", requests::passkeyOptionsTogether),
                row("POST", "requests/{id}/passkey-options", "-", requests::passkeyOptions),
                row("POST", "requests/{id}/accept", "shown, passkey", requests::accept),
                always("POST", "requests/{id}/reject", "reason", requests::reject),
                row("POST", "requests/{id}/cancel", "-", requests::cancel),
                row("POST", "requests/{id}/close", "-", requests::close),
                view("reconciliation", "limit, cursor", custodians::reconciliation),
                view("audit", "limit, agentKeyId, allowed, since, before", this::audit),
                view("events", "limit, cursor, eventType, since, order", this::events),
                view("events/{seq}/proof", "-", this::proof),
                row("GET", "log", "-", this::log),
                view("usage", "days", this::usage),
                view("home", "-", accounts::home),
                row("GET", "inbox", "-", inbox::read),
                row("POST", "inbox/{id}/done", "-", inbox::done),
                new Route(
                        "GET",
                        PREFIX + "activity",
                        SESSION,
                        "cursor, limit, kinds, agentKeyId, symbol, rule, allowed, text, from, to, format",
                        gate.admitViewersUnshared(activity::read)),
                new Route("GET", PREFIX + "stream", SESSION, "-", gate.admitStream(this::stream)));
    }

    /**
     * The routes of the transparency log.
     *
     * @param keys lets callers with keys in
     * @param access who may read it
     */
    public List<Route> logRoutes(ReadLog log, CallGate keys, Access access) {
        return new LogApi(log, access, keys, gate).routes();
    }

    private void audit(AppCall call) {
        Reply.compressed(call.ctx(), AgentOperations.audit(useCases.readAudit(), call.user(), call.query()));
    }

    private void events(AppCall call) {
        EventFeed.answer(call.ctx(), useCases.readEvents(), call.user());
    }

    private void proof(AppCall call) {
        CallForm.HTTP.answerText(
                call.ctx(), "proof", Reply.given(useCases.readLog().proof(call.user(), EventFeed.seq(call.ctx()))));
    }

    private void log(AppCall call) {
        OwnLog own = Reply.given(useCases.readLog().own(call.user()));
        call.answer(out -> out.text("origin", own.verifierKey().name())
                .text("verifierKey", own.verifierKey().text())
                .text("secret", own.secret())
                .object("witnesses", own.status().witnessing(), AppApi::witnessing)
                .object(
                        "stopped",
                        own.status().stopped(),
                        (stop, it) -> stop.text("reason", it.reason()).instant("since", it.at())));
    }

    private static void witnessing(JsonWriter out, Witnessing now) {
        out.integer("known", now.known())
                .integer("cosigning", now.cosigning())
                .instant("noQuorumSince", now.noQuorumSince())
                .array(
                        "missing",
                        now.missing(),
                        (witness, it) -> witness.text("name", it.key().name()).instant("since", it.since()));
    }

    private void usage(AppCall call) {
        Reply.bytes(call.ctx(), 200, AgentOperations.usage(useCases.readUsage(), call.user(), call.query()));
    }

    /** HEAD answers the headers alone. */
    private void stream(AppCall call) {
        if (call.ctx().method().equals(HandlerType.HEAD)) {
            call.ctx().contentType("text/event-stream");
        } else {
            streams.open(call);
        }
    }

    /** Ends the streams, which calls would otherwise be waited for during a stop. */
    @Override
    public void close() {
        streams.close();
    }

    private Route row(String method, String name, String input, Consumer<AppCall> work) {
        return new Route(method, PREFIX + name, SESSION, input, gate.admit(work));
    }

    /** A call that viewers may make, too: it reads what they may see (docs/reference/viewers.md). */
    private Route view(String name, String input, Consumer<AppCall> work) {
        return new Route("GET", PREFIX + name, SESSION, input, gate.admitViewers(work));
    }

    /** A call that neither budgets nor queues hold up. */
    private Route always(String method, String name, String input, Consumer<AppCall> work) {
        return new Route(method, PREFIX + name, SESSION, input, gate.admitAlways(work));
    }

    private Route open(String method, String name, String input, Consumer<Context> work) {
        return new Route(method, PREFIX + name, PUBLIC, input, gate.admitAnyone(work));
    }
}
