package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.usecase.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Passwords that attackers try first.
 *
 * @param lowerCase the passwords, in lower case
 */
public record CommonPasswords(Set<String> lowerCase) {

    public CommonPasswords {
        lowerCase = Set.copyOf(lowerCase);
    }

    /**
     * Returns whether a password is one of these in any case, or one of these made longer by digits and punctuation, as
     * in {@code Password1234!}.
     */
    public boolean contains(String password) {
        String lower = password.toLowerCase(Locale.ROOT);
        return lowerCase.contains(lower) || lowerCase.contains(withoutPadding(lower));
    }

    private static String withoutPadding(String password) {
        int end = password.length();
        while (end > 0 && isPadding(password.charAt(end - 1))) {
            end--;
        }
        return password.substring(0, end);
    }

    /** Digits and punctuation of ASCII. */
    private static boolean isPadding(char c) {
        return c > ' ' && c < 0x7f && !Character.isLetter(c);
    }

    /** The refusal of a common password in a field. */
    static Refusal refusal(String field) {
        String message = field + " is one of the most common ones; choose one that nobody would try first.";
        return Refusal.invalid(List.of(new Problem(field, message)));
    }
}
