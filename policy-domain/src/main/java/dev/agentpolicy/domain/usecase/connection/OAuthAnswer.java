package dev.agentpolicy.domain.usecase.connection;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call of OAuth: a value, or an error with a code of its specifications.
 *
 * @param value null after an error
 * @param error null if there is a value
 */
public record OAuthAnswer<T>(@Nullable T value, @Nullable OAuthError error) {

    /**
     * An error of OAuth.
     *
     * @param code such as {@code invalid_grant} (RFC 6749, section 5.2)
     * @param description what went wrong, for developers
     * @param retryAfterSeconds when the call may be repeated; 0 where repeating it is of no use
     */
    public record OAuthError(String code, String description, long retryAfterSeconds) {
        static OAuthError of(String code, String description) {
            return new OAuthError(code, description, 0);
        }

        static OAuthError tooMany(String description, long seconds) {
            return new OAuthError("temporarily_unavailable", description, seconds);
        }
    }

    static <T> OAuthAnswer<T> given(T value) {
        return new OAuthAnswer<>(value, null);
    }

    static <T> OAuthAnswer<T> refused(OAuthError error) {
        return new OAuthAnswer<>(null, error);
    }

    static <T> OAuthAnswer<T> refused(String code, String description) {
        return refused(OAuthError.of(code, description));
    }

    static <T> OAuthAnswer<T> of(@Nullable T value, OAuthError otherwise) {
        return value == null ? refused(otherwise) : given(value);
    }

    /** Applies one function to the value, or the other to the error. */
    public <R> R fold(Function<? super T, ? extends R> success, Function<OAuthError, ? extends R> failure) {
        if (value != null) {
            return success.apply(value);
        }
        if (error != null) {
            return failure.apply(error);
        }
        throw new IllegalStateException("An answer has either a value or an error.");
    }

    /** The parameters of a call by name, each of which may be sent once. */
    public record OAuthParameters(Map<String, List<String>> sent) {

        /** The value of a parameter; null if it was not sent, or is empty. */
        @Nullable
        String get(String name) {
            List<String> values = sent.getOrDefault(name, List.of());
            return values.size() == 1 && !values.get(0).isEmpty() ? values.get(0) : null;
        }

        /** The value of a parameter; an empty text if it was not sent. */
        String text(String name) {
            String value = get(name);
            return value == null ? "" : value;
        }

        /** A parameter that was sent more than once, which OAuth forbids; null for none. */
        @Nullable
        String repeated() {
            return sent.entrySet().stream()
                    .filter(entry ->
                            entry.getValue().size() > 1 && !entry.getKey().equals("resource"))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(null);
        }

        /** Whether each resource that was named is one of this service; a slash at the end does not matter. */
        boolean isFor(List<String> resources) {
            return sent.getOrDefault("resource", List.of()).stream()
                    .map(resource -> resource.endsWith("/") ? resource.substring(0, resource.length() - 1) : resource)
                    .allMatch(resources::contains);
        }
    }
}
