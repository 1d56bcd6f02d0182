package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.port.ConnectionStore.AskingClient;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.connection.AnswerConnection;
import dev.agentpolicy.domain.usecase.connection.AnswerConnection.ShownRequest;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Answers calls about requests for a connection (docs/reference/connections.md). */
record ConnectionEndpoints(AnswerConnection connections, SessionGate gate) {
    private static final String CONFIRMATION = "confirmation";

    void read(AppCall call) {
        call.answer(
                200, connections.read(call.user(), id(call), gate.connecting(call.ctx())), ConnectionEndpoints::shown);
    }

    void approve(AppCall call) {
        SentConsent sent = Body.read(call.ctx(), body -> consent(body, CallHash.of(call.ctx(), body)));
        UUID id = id(call);
        answer(
                call,
                connections.approve(gate.browser(call), id, gate.connecting(call.ctx()), sent.key, sent.confirmation));
    }

    void deny(AppCall call) {
        Body.readNone(call.ctx());
        answer(call, connections.deny(id(call), gate.connecting(call.ctx())));
    }

    private static void answer(AppCall call, Answer<String> redirect) {
        call.answer(200, redirect, (out, address) -> out.text("redirectTo", address));
    }

    private record SentConsent(KeyRequest key, Confirmation confirmation) {}

    /** A consent is a request for a key, with a confirmation beside it. */
    private static Reading<SentConsent> consent(Document sent, String call) {
        Map<String, @Nullable Object> ofKey = new LinkedHashMap<>(sent.members());
        Map<String, @Nullable Object> others = new LinkedHashMap<>();
        for (String name : new String[] {CONFIRMATION, "allowedCidrs", "paused"}) {
            if (ofKey.containsKey(name)) {
                others.put(name, ofKey.remove(name));
            }
        }
        Fields fields = new Fields(Document.of(others), Decimals.NUMBERS);
        Confirmation confirmation = Confirmation.read(fields, call);
        Reading<Confirmation> beside = fields.finish(() -> confirmation);
        return beside.then(confirmed -> KeyRequest.read(new Document(ofKey, sent.repeated()))
                .then(key -> {
                    Integer days = key.expiresInDays();
                    String range = "expiresInDays must be an integer from 1 to " + AnswerConnection.MAX_DAYS + ".";
                    return days != null && days > AnswerConnection.MAX_DAYS
                            ? Reading.<SentConsent>wrong(List.of(new Problem("expiresInDays", range)))
                            : Reading.of(new SentConsent(key, confirmed));
                }));
    }

    private static void shown(JsonWriter out, ShownRequest shown) {
        AskingClient client = shown.request().asked().client();
        out.object(
                        "client",
                        client,
                        (nested, it) -> nested.text("id", it.id())
                                .text("name", it.name())
                                .text("host", it.host())
                                .truth("isVerifiedHost", it.isVerifiedHost())
                                .text("redirectHost", shown.redirectHost()))
                .texts(
                        "scopes",
                        shown.request().asked().scopes().stream().sorted().toList(),
                        Scope::wireName)
                .presentObject(
                        "replaces",
                        shown.replaced(),
                        (nested, key) -> nested.id("agentKeyId", key.id()).text("name", key.name()))
                .instant("expiresAt", shown.request().expiresAt());
    }

    private static UUID id(AppCall call) {
        UUID id = Query.asUuid(call.ctx().pathParam("id"));
        if (id == null) {
            throw new RejectedRequest(
                    ErrorResponse.of(ErrorCode.NOT_FOUND, "There is no request for a connection with this id."));
        }
        return id;
    }
}
