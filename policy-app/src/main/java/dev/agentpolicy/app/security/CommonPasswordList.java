package dev.agentpolicy.app.security;

import dev.agentpolicy.domain.usecase.signin.CommonPasswords;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** The list of common passwords in the jar, loaded at the first sign-up. */
public final class CommonPasswordList {
    private static final String RESOURCE = "/passwords/common.txt";

    private CommonPasswordList() {}

    /** The passwords; takes some milliseconds the first time. */
    public static CommonPasswords get() {
        return PasswordHolder.PASSWORDS;
    }

    private static final class PasswordHolder {
        private static final CommonPasswords PASSWORDS = read();
    }

    private static CommonPasswords read() {
        try (InputStream in = CommonPasswordList.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("The jar lacks " + RESOURCE + ".");
            }
            // Sources and licence come first, up to an empty line.
            return new CommonPasswords(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .dropWhile(line -> !line.isEmpty())
                    .skip(1)
                    .collect(Collectors.toUnmodifiableSet()));
        } catch (IOException unreadable) {
            throw new IllegalStateException("The jar is damaged: " + RESOURCE + " cannot be read.", unreadable);
        }
    }
}
