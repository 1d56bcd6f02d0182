package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Invitation;
import java.util.List;

/** Writes passkeys and the options that browsers use them with (docs/reference/passkeys.md). */
public final class PasskeyJson {
    private static final String PUBLIC_KEY = "public-key";
    private static final String VERIFICATION = "required";

    private PasskeyJson() {}

    public static void write(JsonWriter out, Passkey passkey) {
        out.text("credentialId", passkey.credentialId())
                .text("name", passkey.name())
                .text("algorithm", passkey.key().algorithm().wireName())
                .instant("createdAt", passkey.createdAt())
                .instant("lastUsedAt", passkey.lastUsedAt());
    }

    /** Writes PublicKeyCredentialCreationOptionsJSON. */
    public static void creation(JsonWriter out, RelyingParty party, UserId user, String email, Invitation invitation) {
        out.object("rp", party, (rp, it) -> rp.text("id", it.id()).text("name", "Agent Policy"))
                .object(
                        "user",
                        user,
                        (person, it) -> person.text("id", SentAssertion.handle(it))
                                .text("name", email)
                                .text("displayName", email))
                .text("challenge", invitation.challenge())
                .array(
                        "pubKeyCredParams",
                        List.of(PasskeyAlgorithm.values()),
                        (each, algorithm) -> each.text("type", PUBLIC_KEY).integer("alg", algorithm.coseId()))
                .integer("timeout", AttestedRequest.MAX_AGE.toMillis())
                .array("excludeCredentials", invitation.registered(), PasskeyJson::descriptor)
                .object(
                        "authenticatorSelection",
                        VERIFICATION,
                        (selection, required) -> selection
                                .text("residentKey", required)
                                .truth("requireResidentKey", true)
                                .text("userVerification", required))
                .text("attestation", "none");
    }

    /**
     * Writes PublicKeyCredentialRequestOptionsJSON.
     *
     * @param allowed the passkeys that may sign; empty for any that the browser has
     */
    public static void request(JsonWriter out, RelyingParty party, String challenge, List<Passkey> allowed) {
        out.text("challenge", challenge)
                .integer("timeout", AttestedRequest.MAX_AGE.toMillis())
                .text("rpId", party.id())
                .array("allowCredentials", allowed, PasskeyJson::descriptor)
                .text("userVerification", VERIFICATION);
    }

    private static void descriptor(JsonWriter out, Passkey passkey) {
        out.text("type", PUBLIC_KEY)
                .text("id", passkey.credentialId())
                .texts("transports", passkey.transports(), transport -> transport);
    }
}
