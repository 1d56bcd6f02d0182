package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a person types to sign up or in; never printed.
 *
 * @param email lower-cased
 * @param password as typed
 */
public record Login(String email, String password) {
    public static final int MIN_PASSWORD = 12;
    public static final int MAX_PASSWORD = 128;
    private static final int MAX_EMAIL = 254;

    /** What a new user sent: the password must be long enough. */
    public static Reading<Login> readNew(Document sent) {
        return read(sent, MIN_PASSWORD);
    }

    /** What a known user sent: any password may be tried. */
    public static Reading<Login> read(Document sent) {
        return read(sent, 1);
    }

    private static Reading<Login> read(Document sent, int minPassword) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String email = fields.meaning("email", "must be an e-mail address", Login::address);
        String password = fields.text("password", minPassword, MAX_PASSWORD);
        fields.require("email", "password");
        return fields.finish(() -> new Login(Fields.present(email), Fields.present(password)));
    }

    /** Only what every address has; whether it exists is for its owner to know. */
    private static @Nullable String address(String text) {
        int at = text.indexOf('@');
        boolean looksRight = at > 0
                && at == text.lastIndexOf('@')
                && at < text.length() - 1
                && text.length() <= MAX_EMAIL
                && text.chars()
                        .allMatch(c -> c > ' ' && !Character.isISOControl(c) && !Character.isSurrogate((char) c));
        return looksRight ? text.toLowerCase(Locale.ROOT) : null;
    }

    @Override
    public String toString() {
        return "Login[" + email + "]";
    }
}
