package dev.agentpolicy.adapter.http;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.agent.DescribedCalls;
import dev.agentpolicy.adapter.http.agent.DescribedCalls.Call;
import dev.agentpolicy.adapter.http.wire.ScriptedBroker;
import dev.agentpolicy.domain.agent.Viewer;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import dev.agentpolicy.domain.usecase.custodian.ObservePortfolio;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Calls for things that do not exist, and calls that are not possible in the current state. */
public record NotFoundAndConflicts(DescribedCalls calls, SettableClock clock) {

    public void provoke() {
        Client newcomer = calls.newcomer();
        notFound(newcomer);
        policyConflicts(newcomer);
        conflicts();
        requestConflicts();
        custodians();
        mails();
    }

    private void notFound(Client newcomer) {
        is(404, newcomer.get(APP + "ips"));
        is(404, newcomer.get(APP + "ips/versions/1"));
        is(404, calls.of("DELETE " + APP + "ips/scheduled").madeBy(newcomer));
        is(404, calls.of("GET " + APP + "ips/shadow").madeBy(newcomer));
        is(404, calls.of("DELETE " + APP + "ips/shadow").madeBy(newcomer));
        is(404, calls.of("POST " + APP + "ips/shadow/promote").madeBy(newcomer));
        is(404, newcomer.post(APP + "ips/compare", "{\"from\":{\"ipsVersion\":1},\"to\":{\"ipsVersion\":1}}"));
        is(404, newcomer.get(APP + "requests/1"));
        is(404, newcomer.get(APP + "events/1/proof"));
        is(404, newcomer.get(APP + "log"));
        is(
                404,
                calls.of("GET /api/agent/v1/policy/events/{seq}/proof")
                        .at("/api/agent/v1/policy/events/999999/proof")
                        .made());
        is(404, newcomer.post(APP + "requests/1/accept", ""));
        is(404, newcomer.post(APP + "requests/1/reject", "{}"));
        is(404, newcomer.post(APP + "requests/1/cancel", ""));
        is(404, newcomer.post(APP + "requests/1/close", ""));
        is(404, newcomer.post(APP + "custodians/nowhere/sync", ""));
        is(404, newcomer.post(APP + "custodians/a%20b/sync", ""));
        is(404, calls.of("DELETE " + APP + "custodians/{id}").madeBy(newcomer));
        is(
                404,
                calls.of("POST " + APP + "custodians/{id}/trades")
                        .at(APP + "custodians/nowhere/trades")
                        .made());
        is(
                404,
                calls.of("DELETE " + APP + "sessions/{id}")
                        .at(APP + "sessions/" + UUID.randomUUID())
                        .made());
        is(404, newcomer.post(APP + "requests/1/passkey-options", "{}"));
        is(404, newcomer.post(APP + "requests/passkey-options", "{\"ids\":[1]}"));
        is(404, newcomer.post(APP + "requests/accept", "{\"ids\":[1],\"shown\":{\"portfolioRevision\":0}}"));
        is(404, calls.of("POST " + APP + "confirmations").madeBy(newcomer));
        Call removal = calls.of("DELETE " + APP + "passkeys/{id}");
        removal.made();
        is(404, removal.made());
        Call ended = calls.of("DELETE " + APP + "viewers/{id}");
        ended.made();
        is(404, ended.made());
        Call device = calls.of("DELETE " + APP + "push/{id}");
        device.made();
        is(404, device.made());
        is(404, newcomer.post(APP + "session/viewer", "{\"token\":\"unknown\"}"));
        String key = APP + "keys/" + UUID.randomUUID();
        is(404, newcomer.post(key + "/rotate", ""));
        is(404, newcomer.patch(key, "{}"));
        is(404, newcomer.post(key + "/try", Expect.TRADE));
        is(404, calls.of("DELETE " + APP + "keys/{id}").at(key).made());
        String connection = APP + "connections/" + UUID.randomUUID();
        is(404, newcomer.get(connection));
        is(
                404,
                newcomer.post(
                        connection + "/approve",
                        calls.of("POST " + APP + "keys").body()));
        is(404, newcomer.post(connection + "/deny", "{}"));
        is(404, newcomer.post(APP + "inbox/request-1/done", "{}"));
        is(409, newcomer.post(APP + "keys/" + calls.connection(newcomer) + "/rotate", ""));
    }

    /** Links that do not work, addresses that are taken, and a service that sends no mails and no notifications. */
    private void mails() {
        Call reset = calls.of("POST " + APP + "password-reset/{token}");
        is(404, reset.at(APP + "password-reset/made-up").made());
        Call confirm = calls.of("POST " + APP + "email-confirmation/{token}");
        is(404, confirm.at(APP + "email-confirmation/made-up").made());
        String taken = calls.token(Purpose.EMAIL_CONFIRMATION, "ann@example.org");
        is(409, confirm.at(APP + "email-confirmation/" + taken).made());
        Call change = calls.of("POST " + APP + "me/email");
        calls.notices().turn(false);
        is(409, change.with(change.body().replace("ann@example.net", "pauser@example.org"), change.by()));
        is(404, calls.of("POST " + APP + "password-reset").made());
        is(404, calls.of("GET " + APP + "push").made());
        is(404, calls.of("POST " + APP + "push").made());
        calls.notices().turn(true);
    }

    private void conflicts() {
        Call signUp = calls.of("POST " + APP + "users");
        signUp.made();
        is(409, signUp.made());
        Call trade = calls.of("POST " + APP + "custodians/{id}/trades");
        is(409, trade.with(trade.body().replace("\"1\"", "\"1000000\""), trade.by()));
        Client collector = calls.newcomer();
        Call key = calls.of("POST " + APP + "keys");
        is(409, last(IssueKeys.MAX_ACTIVE + 1, i -> key.madeBy(collector)));
        Call connection = calls.of("POST " + APP + "connections/{id}/approve");
        is(409, connection.madeBy(DescribedCalls.connecting(collector)));
        is(409, last(OwnerPasskeys.MAX + 1, i -> calls.passkeys().register(collector, new SoftPasskey())));
        Call viewer = calls.of("POST " + APP + "viewers");
        is(409, last(Viewer.MAX + 1, i -> viewer.madeBy(collector)));
        Call book = calls.of("PUT " + APP + "custodians/{id}");
        is(
                409,
                last(
                        ObservePortfolio.MAX_CUSTODIANS + 1,
                        i -> book.at(APP + "custodians/book" + i).madeBy(collector)));
    }

    /** A policy that is not there, and one that is not the expected one. */
    private void policyConflicts(Client newcomer) {
        for (String call : List.of("pause", "resume", "approvals", "ips/compare", "ips/tests/run")) {
            is(409, calls.of("POST " + APP + call).madeBy(newcomer));
        }
        Call put = calls.of("PUT " + APP + "ips");
        is(409, put.at(APP + "ips?ifVersion=999").made());
        Call promotion = calls.of("POST " + APP + "ips/shadow/promote");
        is(409, promotion.at(promotion.path() + "?ifVersion=999").made());
        Call peak = calls.of("POST " + APP + "portfolio/peak");
        assertThat(peak.madeBy(newcomer).json().get("error").textValue()).isEqualTo("no_ips");
        Client poor = calls.of("POST " + APP + "pause").by();
        assertThat(peak.madeBy(poor).json().get("error").textValue()).isEqualTo("no_portfolio_snapshot");
    }

    /** A request that the policy blocks by now, then a resolved one. */
    private void requestConflicts() {
        Call accept = calls.of("POST " + APP + "requests/{id}/accept");
        String paused = SignedIn.IPS.replaceFirst("\\{", "{\"allowedActions\":[\"sell\"],");
        accept.by().put(APP + "ips", paused);
        assertThat(accept.made().json().get("error").textValue()).isEqualTo("policy_blocked");
        accept.by().put(APP + "ips", SignedIn.IPS);
        is(200, accept.made());
        assertThat(accept.made().json().get("error").textValue()).isEqualTo("already_resolved");
        is(409, accept.at(accept.path().replace("accept", "reject")).made());
        is(409, accept.at(accept.path().replace("accept", "passkey-options")).made());
        Call options = calls.of("POST " + APP + "requests/passkey-options");
        Call together = calls.of("POST " + APP + "requests/accept");
        is(409, together.with(together.body().replaceFirst("\"portfolioRevision\":", "$0" + "9"), together.by()));
        is(200, together.made());
        is(409, together.made());
        is(409, options.with(together.body().replaceFirst(",\"shown.*", "}"), options.by()));
    }

    /** A key that the broker refuses, an id that is taken, an order that is not there, and one that is under way. */
    private void custodians() {
        Call connect = calls.of("POST " + APP + "custodians/{id}/connect");
        is(422, connect.with(connect.body().replace("key-id-1", ScriptedBroker.REFUSED_KEY), connect.by()));
        is(409, connect.at(APP + "custodians/main/connect").madeBy(calls.owner()));
        Call reject = calls.of("POST " + APP + "requests/{id}/reject");
        is(409, reject.by().post(reject.path().replace("reject", "cancel"), ""));
        is(409, reject.by().post(reject.path().replace("reject", "close"), ""));
        Call cancel = calls.of("POST " + APP + "requests/{id}/cancel");
        is(409, cancel.by().send("DELETE", APP + "custodians/main", BodyPublishers.noBody()));
        is(
                409,
                cancel.by()
                        .with("Content-Type", "application/json")
                        .sendText("DELETE", APP + "me", "{\"password\":\"correct horse battery\"}"));
        is(409, cancel.by().post(cancel.path().replace("cancel", "close"), ""));
        is(200, cancel.made());
    }

    /** Calls slowly enough for the rate limit of a session. */
    private Seen last(int times, IntFunction<Seen> call) {
        return IntStream.range(0, times)
                .peek(i -> clock.advance(Duration.ofSeconds(1)))
                .mapToObj(call)
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    private static void is(int status, Seen seen) {
        assertThat(seen.status()).as(seen.text()).isEqualTo(status);
    }
}
