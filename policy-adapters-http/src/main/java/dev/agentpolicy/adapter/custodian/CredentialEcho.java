package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.BrokerCredentials;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds credentials in what a broker says: as they are, in other case, cut, reversed, escaped, or in base64 or hex. */
final class CredentialEcho {
    private static final String HIDDEN = "[hidden]";
    /** So many characters of a credential in a row give it away. */
    private static final int RUN = 8;
    /** Shorter forms could stand in an answer by chance. */
    private static final int MIN_WHOLE = 12;

    private static final int MAX_ESCAPED = 3;
    private static final Pattern ESCAPE =
            Pattern.compile("%([0-9a-fA-F]{2})|\\\\u([0-9a-fA-F]{4})|&#x([0-9a-fA-F]{2,4});|&#([0-9]{2,5});");
    private static final Pattern NEITHER_LETTER_NOR_DIGIT = Pattern.compile("[^a-z0-9]");

    private CredentialEcho() {}

    /** A broker's words without the credentials; none of the words, if a part or another form of them is left. */
    static String hidden(BrokerCredentials credentials, String words) {
        String rest = words.replace(credentials.secretKey(), HIDDEN).replace(credentials.keyId(), HIDDEN);
        String plain = plain(unescaped(rest));
        List<String> forms = new ArrayList<>(forms(credentials.secretKey()));
        forms.addAll(forms(credentials.keyId()));
        for (String form : forms) {
            for (int i = 0; i + RUN <= form.length(); i++) {
                if (plain.contains(form.substring(i, i + RUN))) {
                    return HIDDEN;
                }
            }
        }
        return rest;
    }

    /** Whether an answer contains the secret as a whole, in any form. */
    static boolean isIn(BrokerCredentials credentials, byte[] answer) {
        String plain = plain(unescaped(new String(answer, StandardCharsets.UTF_8)));
        return forms(credentials.secretKey()).stream()
                .anyMatch(form -> form.length() >= MIN_WHOLE && plain.contains(form));
    }

    private static List<String> forms(String credential) {
        byte[] bytes = credential.getBytes(StandardCharsets.UTF_8);
        String plain = plain(credential);
        return List.of(
                plain,
                new StringBuilder(plain).reverse().toString(),
                HexFormat.of().formatHex(bytes),
                base64(bytes, 0),
                base64(bytes, 1),
                base64(bytes, 2));
    }

    /** The base64 of a text with so many bytes before it that do not count, without what depends on its neighbours. */
    private static String base64(byte[] text, int before) {
        byte[] shifted = new byte[before + text.length];
        System.arraycopy(text, 0, shifted, before, text.length);
        byte[] whole = Arrays.copyOf(shifted, shifted.length - shifted.length % 3);
        String encoded = Base64.getEncoder().encodeToString(whole);
        return plain(encoded.substring(Math.min(encoded.length(), before == 0 ? 0 : before + 1)));
    }

    private static String plain(String text) {
        return NEITHER_LETTER_NOR_DIGIT.matcher(text.toLowerCase(Locale.ROOT)).replaceAll("");
    }

    private static String unescaped(String text) {
        String read = text;
        for (int i = 0; i < MAX_ESCAPED && ESCAPE.matcher(read).find(); i++) {
            read = ESCAPE.matcher(read).replaceAll(match -> Matcher.quoteReplacement(String.valueOf(character(match))));
        }
        return read;
    }

    private static char character(MatchResult escape) {
        for (int group = 1; group <= 3; group++) {
            if (escape.group(group) != null) {
                return (char) Integer.parseInt(escape.group(group), 16);
            }
        }
        return (char) Integer.parseInt(escape.group(4));
    }
}
