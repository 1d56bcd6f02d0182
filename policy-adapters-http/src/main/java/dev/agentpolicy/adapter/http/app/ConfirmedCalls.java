package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.usecase.signin.ConfirmingOwner;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads calls that take {@code confirmation} beside their members, and checks what was sent (docs/reference/passkeys.md).
 * Methods block on the hash of a password.
 */
record ConfirmedCalls(ManagePasskeys passkeys, SessionGate gate) {
    private static final String CONFIRMATION = "confirmation";

    /** A change that was sent, and by whom. */
    record Confirmed<T>(ConfirmingOwner owner, T change) {}

    private record Sent<T>(Confirmation confirmation, T change) {}

    /**
     * Reads a body.
     *
     * @param parser reads the members but for the confirmation
     */
    <T> Confirmed<T> read(AppCall call, Function<Document, Reading<T>> parser) {
        return confirmed(call, Body.read(call.ctx(), body -> sent(body, CallHash.of(call.ctx(), body), parser)));
    }

    /** As above, of a call whose change a passkey signs itself: the statement that is put in force. */
    <T> Confirmed<T> readSigned(AppCall call, Function<Document, Reading<T>> parser) {
        return confirmed(call, Body.read(call.ctx(), body -> sent(body, null, parser)));
    }

    /** The members of a body but for the confirmation. */
    static Document unconfirmed(Document body) {
        Map<String, @Nullable Object> others = new LinkedHashMap<>(body.members());
        others.remove(CONFIRMATION);
        return new Document(others, body.repeated());
    }

    /** As above, but a missing body counts as an empty object. */
    <T> Confirmed<T> readOptional(AppCall call, Function<Document, Reading<T>> parser) {
        return confirmed(
                call, Body.readOptional(call.ctx(), body -> sent(body, CallHash.of(call.ctx(), body), parser)));
    }

    /** Reads the body of a call that takes nothing but a confirmation. */
    ConfirmingOwner owner(AppCall call) {
        return readOptional(call, body -> new Fields(body, Decimals.NUMBERS).finish(() -> true))
                .owner();
    }

    private <T> Confirmed<T> confirmed(AppCall call, Sent<T> sent) {
        return new Confirmed<>(ConfirmingOwner.of(passkeys, gate.browser(call), sent.confirmation), sent.change);
    }

    private static <T> Reading<Sent<T>> sent(
            Document body, @Nullable String call, Function<Document, Reading<T>> parser) {
        Map<String, @Nullable Object> ofConfirmation = new HashMap<>();
        if (body.members().containsKey(CONFIRMATION)) {
            ofConfirmation.put(CONFIRMATION, body.get(CONFIRMATION));
        }
        Fields fields = new Fields(Document.of(ofConfirmation), Decimals.NUMBERS);
        Confirmation confirmation = Confirmation.read(fields, call);
        return fields.finish(() -> confirmation)
                .then(read -> parser.apply(unconfirmed(body)).then(change -> Reading.of(new Sent<>(read, change))));
    }
}
