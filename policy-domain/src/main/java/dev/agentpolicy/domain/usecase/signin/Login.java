package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The e-mail address and password of a sign-up or sign-in. The password is never printed.
 *
 * @param email in lower case
 * @param password as typed
 */
public record Login(String email, String password) {
    public static final int MIN_PASSWORD = 12;
    public static final int MAX_PASSWORD = 128;
    private static final int MAX_EMAIL = 254;

    /**
     * Characters of the basic plane that are visible and do not reorder text: no spaces, controls, joiners, directional
     * marks, variation selectors, fillers, private or unassigned specials. docs/openapi.json has the same pattern.
     */
    private static final Pattern VISIBLE = Pattern.compile("[!-~\\u00A1-\\u00AC\\u00AE-\\u034E\\u0350-\\u061B"
            + "\\u061D-\\u115E\\u1161-\\u167F\\u1681-\\u17B3\\u17B6-\\u180A\\u1810-\\u1FFF\\u2010-\\u2027"
            + "\\u2030-\\u205E\\u2070-\\u27FF\\u2801-\\u2FFF\\u3001-\\u3163\\u3165-\\uD7FF\\uF900-\\uFDCF"
            + "\\uFDF0-\\uFDFF\\uFE10-\\uFEFE\\uFF00-\\uFF9F\\uFFA1-\\uFFEF\\uFFFC\\uFFFD]+");

    /** Reads a sign-up: the password must be long enough, and every character of the address must be visible. */
    public static Reading<Login> readNew(Document sent) {
        return read(sent, Login::newAddress, MIN_PASSWORD);
    }

    /** Reads a sign-in: the password may have any length. */
    public static Reading<Login> read(Document sent) {
        return read(sent, Login::address, 1);
    }

    /** Reads a new address with the password that its user has already. */
    public static Reading<Login> readNewAddress(Document sent) {
        return read(sent, Login::newAddress, 1);
    }

    /** Reads an address alone, in lower case. */
    public static Reading<String> readAddress(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String email = fields.meaning("email", "must be an e-mail address", Login::address);
        fields.require("email");
        return fields.finish(() -> Fields.present(email));
    }

    /** Reads a password that takes the place of another one. */
    public static Reading<String> readNewPassword(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String password = fields.text("password", MIN_PASSWORD, MAX_PASSWORD);
        fields.require("password");
        return fields.finish(() -> Fields.present(password));
    }

    private static Reading<Login> read(Document sent, Function<String, @Nullable String> address, int minPassword) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String email = fields.meaning("email", "must be an e-mail address", address);
        String password = fields.text("password", minPassword, MAX_PASSWORD);
        fields.require("email", "password");
        return fields.finish(() -> new Login(Fields.present(email), Fields.present(password)));
    }

    /** The address in lower case; null when it cannot be an address. Only the general form is checked. */
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

    /** The same for a new address, without characters that could make two addresses look alike. */
    private static @Nullable String newAddress(String text) {
        return VISIBLE.matcher(text).matches() ? address(text) : null;
    }

    @Override
    public String toString() {
        return "Login[" + email + "]";
    }
}
