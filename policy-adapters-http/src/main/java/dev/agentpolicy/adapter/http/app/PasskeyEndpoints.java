package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.UserJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.LookupThrottle;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.PasskeyRegistration;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Demands;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Invitation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.NewPasskey;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers calls about passkeys (docs/reference/passkeys.md). */
final class PasskeyEndpoints {
    private static final int CREATED = 201;
    private static final int MAX_NAME = 100;
    private static final int MAX_PATH = 300;
    private static final Set<String> CHANGING = Set.of("POST", "PUT", "PATCH", "DELETE");

    private final ManagePasskeys passkeys;
    private final UserEndpoints users;
    private final SessionGate gate;
    private final InstantSource clock;
    private final LookupThrottle strangers = new LookupThrottle();

    PasskeyEndpoints(ManagePasskeys passkeys, UserEndpoints users, SessionGate gate, InstantSource clock) {
        this.passkeys = passkeys;
        this.users = users;
        this.gate = gate;
        this.clock = clock;
    }

    void demand(AppCall call) {
        SentDemands sent = Body.read(call.ctx(), body -> demands(body, CallHash.of(call.ctx(), body)));
        boolean isOfChanges = sent.demands.confirmsChanges() != null || sent.demands.delayHours() != null;
        call.answer(
                200,
                passkeys.demand(gate.browser(call), sent.demands, sent.confirmation),
                (out, demanded) -> UserJson.demanded(out, demanded, isOfChanges));
    }

    void list(AppCall call) {
        call.answer(out -> out.array("passkeys", passkeys.of(call.user()).all(), UserJson::passkey));
    }

    void options(AppCall call) {
        Body.readNone(call.ctx());
        Invitation invitation = passkeys.invite(call.user());
        RelyingParty party = gate.party(call.ctx());
        call.answer(out -> UserJson.creation(out, party, call.user(), call.email(), invitation));
    }

    void register(AppCall call) {
        NewPasskey sent = Body.read(call.ctx(), body -> newPasskey(body, CallHash.of(call.ctx(), body)));
        call.answer(CREATED, passkeys.register(gate.browser(call), sent), UserJson::passkey);
    }

    void remove(AppCall call) {
        Confirmation sent = Body.readOptional(call.ctx(), body -> confirmation(body, CallHash.of(call.ctx(), body)));
        call.answerNothing(passkeys.remove(gate.browser(call), call.ctx().pathParam("id"), sent));
    }

    void confirm(AppCall call) {
        CallToConfirm sent = Body.read(call.ctx(), CallToConfirm::read);
        RelyingParty party = gate.party(call.ctx());
        Ips policy = sent.policy;
        call.answer(
                200,
                policy == null ? passkeys.confirm(call.user(), sent.hash) : passkeys.confirm(call.user(), policy),
                (out, offer) -> UserJson.request(out, party, offer.challenge(), offer.registered()));
    }

    void signInOptions(Context ctx) {
        Body.readNone(ctx);
        countStranger(ctx);
        String challenge = passkeys.challenge();
        Reply.object(ctx, 200, out -> UserJson.request(out, gate.party(ctx), challenge, List.of()));
    }

    void signIn(Context ctx) {
        SentAssertion sent = Body.read(ctx, PasskeyEndpoints::assertion);
        countStranger(ctx);
        Session session = Reply.given(passkeys.signIn(sent, gate.party(ctx), gate.visitor(ctx)));
        users.opened(ctx, session, passkeys.email(session.userId()));
    }

    /** Each challenge is a row, and each sign-in a look-up, so strangers get a limited number in a second. */
    private void countStranger(Context ctx) {
        String network = gate.visitor(ctx).network();
        if (strangers.isUsedUp(network, clock.instant())) {
            throw new RejectedRequest(ErrorResponse.of(CallBudget.ofSessions().over()));
        }
        strangers.count(network, clock.instant());
    }

    private record SentDemands(Demands demands, Confirmation confirmation) {}

    private static Reading<SentDemands> demands(Document sent, String call) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        BigDecimal above = fields.decimal(
                "passkeyAboveUsd", BigDecimal.ZERO, TradePayload.MAX_AMOUNT_USD, TradePayload.MAX_AMOUNT_DECIMALS);
        Boolean confirmsChanges = fields.truth("confirmChanges");
        Integer delayHours = fields.integer("looseningDelayHours", 0, ChangeProtection.MAX_HOURS);
        if (confirmsChanges == null && delayHours == null) {
            fields.requireMember("passkeyAboveUsd");
        }
        boolean setsAbove = sent.members().containsKey("passkeyAboveUsd");
        Confirmation confirmation = Confirmation.readAnywhere(fields, call);
        return fields.finish(() -> new SentDemands(
                new Demands(setsAbove, above == null ? null : new Usd(above), confirmsChanges, delayHours),
                confirmation));
    }

    private static Reading<NewPasskey> newPasskey(Document sent, String call) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String name = fields.plainText("name", 1, MAX_NAME);
        PasskeyRegistration registration = fields.object("credential", PasskeyRegistration::read);
        Confirmation confirmation = Confirmation.readAnywhere(fields, call);
        fields.require("name", "credential");
        return fields.finish(() -> new NewPasskey(Fields.present(name), Fields.present(registration), confirmation));
    }

    private static Reading<Confirmation> confirmation(Document sent, String call) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Confirmation confirmation = Confirmation.readAnywhere(fields, call);
        return fields.finish(() -> confirmation);
    }

    /**
     * A call that is to be confirmed.
     *
     * @param policy the policy that it puts in force; null for any other call
     */
    private record CallToConfirm(String hash, @Nullable Ips policy) {
        static Reading<CallToConfirm> read(Document sent) {
            Fields fields = new Fields(sent, Decimals.NUMBERS);
            String method = fields.meaning(
                    "method", "must be POST, PUT, PATCH or DELETE", text -> CHANGING.contains(text) ? text : null);
            String path = fields.plainText("path", 1, MAX_PATH);
            if (path != null && !path.startsWith("/")) {
                fields.problem("path", "must begin with /");
            }
            Document sentBody = fields.document("body");
            Document body = sentBody == null ? Document.of(Map.of()) : sentBody;
            fields.require("method", "path");
            return fields.finish(() -> CallHash.of(Fields.present(method), Fields.present(path), body))
                    .then(hash -> PolicyEndpoints.isPut(Fields.present(method), Fields.present(path))
                            ? ofPolicy(hash, body)
                            : Reading.of(new CallToConfirm(hash, null)));
        }

        private static Reading<CallToConfirm> ofPolicy(String hash, Document body) {
            return PolicyEndpoints.put(body)
                    .fold(
                            policy -> Reading.of(new CallToConfirm(hash, policy)),
                            problems -> Reading.wrong(List.of(new Problem(
                                    "body",
                                    "body must be a policy: " + problems.get(0).message()))));
        }
    }

    private static Reading<SentAssertion> assertion(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        SentAssertion assertion = SentAssertion.read(fields);
        return fields.finish(() -> Fields.present(assertion));
    }
}
