package dev.agentpolicy.domain.usecase.profile;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.usecase.signin.Login;

/** The password that a user gives again for what cannot be undone. It is never printed. */
public record PasswordProof(String password) {

    public static Reading<PasswordProof> read(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String password = fields.text("password", 1, Login.MAX_PASSWORD);
        fields.require("password");
        return fields.finish(() -> new PasswordProof(Fields.present(password)));
    }

    @Override
    public String toString() {
        return "PasswordProof[]";
    }
}
