package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.PasskeyJson;
import dev.agentpolicy.adapter.http.json.ProfileJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.LookupThrottle;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.passkey.PasskeyRegistration;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Invitation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.NewPasskey;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.OwnerBrowser;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Recognised;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import io.javalin.http.Context;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Answers calls about passkeys (docs/reference/passkeys.md). */
final class PasskeyEndpoints {
    private static final int CREATED = 201;
    private static final int MAX_NAME = 100;

    private final ManagePasskeys passkeys;
    private final SessionGate gate;
    private final RelyingParties parties;
    private final InstantSource clock;
    private final LookupThrottle strangers = new LookupThrottle();

    PasskeyEndpoints(ManagePasskeys passkeys, SessionGate gate, RelyingParties parties, InstantSource clock) {
        this.passkeys = passkeys;
        this.gate = gate;
        this.parties = parties;
        this.clock = clock;
    }

    void requireAbove(AppCall call) {
        call.read(
                PasskeyEndpoints::threshold,
                sent -> call.answer(
                        200,
                        passkeys.requireAbove(browser(call), sent.above, sent.confirmation),
                        ProfileJson::passkeyAbove));
    }

    void list(AppCall call) {
        call.answer(out -> out.array("passkeys", passkeys.of(call.user()).all(), PasskeyJson::write));
    }

    void options(AppCall call) {
        call.readNone(() -> {
            Invitation invitation = passkeys.invite(call.user());
            RelyingParty party = parties.of(call.ctx());
            call.answer(out -> PasskeyJson.creation(out, party, call.user(), call.email(), invitation));
        });
    }

    void register(AppCall call) {
        call.read(
                PasskeyEndpoints::newPasskey,
                sent -> call.answer(CREATED, passkeys.register(browser(call), sent), PasskeyJson::write));
    }

    void remove(AppCall call) {
        call.readOptional(
                PasskeyEndpoints::confirmation,
                sent -> call.answerNothing(
                        passkeys.remove(browser(call), call.ctx().pathParam("id"), sent)));
    }

    void signInOptions(Context ctx) {
        Body.readNone(
                ctx,
                () -> counted(ctx, () -> {
                    String challenge = passkeys.challenge();
                    RelyingParty party = parties.of(ctx);
                    Reply.object(ctx, 200, out -> PasskeyJson.request(out, party, challenge, List.of()));
                }),
                wrong -> wrong.send(ctx));
    }

    void signIn(Context ctx) {
        Body.read(
                ctx,
                PasskeyEndpoints::assertion,
                sent -> counted(ctx, () -> signIn(ctx, passkeys.recognise(sent, parties.of(ctx)))),
                wrong -> wrong.send(ctx));
    }

    /** Each challenge is a row, and each sign-in a look-up, so strangers get a limited number in a second. */
    private void counted(Context ctx, Runnable work) {
        String network = gate.visitor(ctx).network();
        if (strangers.isUsedUp(network, clock.instant())) {
            ErrorResponse.of(CallBudget.ofSessions().over()).send(ctx);
        } else {
            strangers.count(network, clock.instant());
            work.run();
        }
    }

    private void signIn(Context ctx, CompletionStage<Answer<Recognised>> recognised) {
        Reply.onServerThread(
                ctx,
                recognised,
                answer -> Reply.either(
                        answer,
                        user -> open(ctx, user),
                        refusal -> ErrorResponse.of(refusal).send(ctx)));
    }

    private void open(Context ctx, Recognised user) {
        Session session = passkeys.signIn(user, gate.visitor(ctx));
        gate.open(ctx, session);
        Reply.object(ctx, 200, out -> SignInEndpoints.person(out, session.userId(), passkeys.email(session.userId())));
    }

    private OwnerBrowser browser(AppCall call) {
        return new OwnerBrowser(call.user(), gate.visitor(call.ctx()), parties.of(call.ctx()));
    }

    private record Threshold(@Nullable Usd above, Confirmation confirmation) {}

    private static Reading<Threshold> threshold(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        BigDecimal above = fields.decimal(
                "passkeyAboveUsd", BigDecimal.ZERO, TradePayload.MAX_AMOUNT_USD, TradePayload.MAX_AMOUNT_DECIMALS);
        fields.requireMember("passkeyAboveUsd");
        Confirmation confirmation = Confirmation.read(fields);
        return fields.finish(() -> new Threshold(above == null ? null : new Usd(above), confirmation));
    }

    private static Reading<NewPasskey> newPasskey(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String name = fields.plainText("name", 1, MAX_NAME);
        PasskeyRegistration registration = fields.object("credential", PasskeyRegistration::read);
        Confirmation confirmation = Confirmation.read(fields);
        fields.require("name", "credential");
        return fields.finish(() -> new NewPasskey(Fields.present(name), Fields.present(registration), confirmation));
    }

    private static Reading<Confirmation> confirmation(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Confirmation confirmation = Confirmation.read(fields);
        return fields.finish(() -> confirmation);
    }

    private static Reading<SentAssertion> assertion(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        SentAssertion assertion = SentAssertion.read(fields);
        return fields.finish(() -> Fields.present(assertion));
    }
}
