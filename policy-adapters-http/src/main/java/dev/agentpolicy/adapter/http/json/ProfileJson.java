package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.usecase.signin.ManageProfile.Profile;

/** Writes what a user may see of the own account (docs/reference/sign-in.md). */
public final class ProfileJson {

    private ProfileJson() {}

    public static void write(JsonWriter out, Profile profile, OwnerPasskeys owned) {
        out.text("userId", profile.user().id().toString())
                .text("email", profile.user().email())
                .truth("emailConfirmed", profile.user().isEmailConfirmed())
                .text("pendingEmail", profile.pendingEmail())
                .text("requestMails", profile.user().requestMails().wireName())
                .truth("mail", profile.sendsMails());
        passkeyAbove(out, owned);
    }

    /** Writes above which amount acceptances need a passkey. */
    public static void passkeyAbove(JsonWriter out, OwnerPasskeys owned) {
        Usd above = owned.above();
        out.number("passkeyAboveUsd", above);
    }
}
