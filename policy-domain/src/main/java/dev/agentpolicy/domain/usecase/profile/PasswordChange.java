package dev.agentpolicy.domain.usecase.profile;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.usecase.signin.Login;

/**
 * What a user sends to change the password. Passwords are never printed.
 *
 * @param current the present password, as typed
 * @param next the password that takes its place
 */
public record PasswordChange(String current, String next) {

    /** Reads a change; the new password has the length of {@link Login#readNew}. */
    public static Reading<PasswordChange> read(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String current = fields.text("current", 1, Login.MAX_PASSWORD);
        String next = fields.text("new", Login.MIN_PASSWORD, Login.MAX_PASSWORD);
        fields.require("current", "new");
        return fields.finish(() -> new PasswordChange(Fields.present(current), Fields.present(next)));
    }

    @Override
    public String toString() {
        return "PasswordChange[]";
    }
}
