package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.agent.Viewer;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import dev.agentpolicy.domain.port.signin.PushDevices.PushDevice;
import dev.agentpolicy.domain.port.signin.Sessions.StoredSession;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Demanded;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Invitation;
import dev.agentpolicy.domain.usecase.signin.ManageProfile.Profile;
import dev.agentpolicy.domain.usecase.signin.ManageSessions.OpenSession;
import java.util.List;

/**
 * Writes what users see of their own account: the profile, sessions, and passkeys with the options that browsers use them with
 * (docs/reference/sign-in.md, docs/reference/passkeys.md).
 */
public final class UserJson {
    private static final String PUBLIC_KEY = "public-key";
    private static final String VERIFICATION = "required";

    private UserJson() {}

    public static void profile(JsonWriter out, Profile profile, Demanded demanded) {
        out.text("userId", profile.user().id().toString())
                .text("email", profile.user().email())
                .truth("emailConfirmed", profile.user().isEmailConfirmed())
                .text("pendingEmail", profile.pendingEmail())
                .text("requestMails", profile.user().notices().mail().wireName())
                .truth("mail", profile.sendsMails())
                .truth("push", profile.sendsPushes())
                .object("notices", profile.user().notices(), UserJson::notices);
        demanded(out, demanded, false);
    }

    private static void notices(JsonWriter out, NoticeSettings notices) {
        out.text("push", notices.push().wireName())
                .text("mail", notices.mail().wireName())
                .object(
                        "quietHours",
                        notices.quietHours(),
                        (nested, quiet) -> nested.text("start", quiet.start().toString())
                                .text("end", quiet.end().toString())
                                .text("tz", quiet.zone().getId()))
                .integer("digestMinutes", notices.digestMinutes());
    }

    /** Writes a device without its endpoint, which is a secret. */
    public static void device(JsonWriter out, PushDevice device) {
        out.text("id", device.id().toString())
                .text("name", device.name())
                .text("service", device.endpoint().getHost())
                .instant("createdAt", device.createdAt());
    }

    /**
     * Writes above which amount acceptances need a passkey, and what changes need.
     *
     * @param isWhole whether what is not demanded of changes is written too
     */
    public static void demanded(JsonWriter out, Demanded demanded, boolean isWhole) {
        ChangeProtection changes = demanded.passkeys().protection().at(demanded.at());
        out.number("passkeyAboveUsd", demanded.passkeys().above());
        if (isWhole || changes.confirms()) {
            out.truth("confirmChanges", changes.confirms());
        }
        if (isWhole || changes.delayHours() > 0) {
            out.integer("looseningDelayHours", changes.delayHours());
        }
        out.presentObject(
                "loweredDelay",
                changes.lowered(),
                (nested, lowered) ->
                        nested.integer("hours", lowered.hours()).instant("effectiveAt", lowered.effectiveAt()));
    }

    /** Writes a session without its token or the hash of it. */
    public static void session(JsonWriter out, OpenSession open) {
        StoredSession session = open.session();
        out.text("id", session.id().toString())
                .instant("createdAt", session.createdAt())
                .instant("lastUsedAt", session.lastUsedAt())
                .text("address", session.origin().address())
                .text("agent", session.origin().agent())
                .truth("isThis", open.isThis())
                .present("viewerId", session.viewer(), (each, name, id) -> each.text(name, id.toString()));
    }

    /** Writes a viewer without its secret. */
    public static void viewer(JsonWriter out, Viewer viewer) {
        out.text("id", viewer.id().toString())
                .text("name", viewer.name())
                .instant("createdAt", viewer.createdAt())
                .instant("expiresAt", viewer.expiresAt());
    }

    /** Writes what a viewer may know of who the user is. */
    public static void seenBy(JsonWriter out, UserId user, Viewer viewer) {
        out.text("userId", user.toString())
                .object("viewer", viewer, (of, it) -> of.text("name", it.name()).instant("expiresAt", it.expiresAt()));
    }

    public static void passkey(JsonWriter out, Passkey passkey) {
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
                .array("excludeCredentials", invitation.registered(), UserJson::descriptor)
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
                .array("allowCredentials", allowed, UserJson::descriptor)
                .text("userVerification", VERIFICATION);
    }

    private static void descriptor(JsonWriter out, Passkey passkey) {
        out.text("type", PUBLIC_KEY)
                .text("id", passkey.credentialId())
                .texts("transports", passkey.transports(), transport -> transport);
    }
}
