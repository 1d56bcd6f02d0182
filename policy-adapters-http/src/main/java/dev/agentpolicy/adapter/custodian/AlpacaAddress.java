package dev.agentpolicy.adapter.custodian;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Where a Trading API is: scheme, host and port, without {@code /v2}. {@code https}, or {@code http} to a loopback
 * address.
 *
 * @param origin for instance {@code https://paper-api.alpaca.markets}
 */
public record AlpacaAddress(URI origin) {
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1]");

    /** @throws IllegalArgumentException when the address has another form; the message says which is expected */
    public AlpacaAddress {
        if (!isOrigin(origin) || !isSafe(origin)) {
            throw new IllegalArgumentException(
                    "The address of the Trading API must be https://host, or http:// to a loopback address; without /v2.");
        }
        origin = URI.create(origin.getScheme() + "://" + origin.getAuthority());
    }

    /**
     * Reads an address as it is configured. A slash at its end is allowed.
     *
     * @throws IllegalArgumentException when the address has another form
     */
    public static AlpacaAddress of(String text) {
        try {
            return new AlpacaAddress(new URI(text));
        } catch (URISyntaxException malformed) {
            throw new IllegalArgumentException("The address of the Trading API is not a URL.", malformed);
        }
    }

    /** @param pathAndQuery encoded, beginning with a slash */
    URI resolve(String pathAndQuery) {
        return URI.create(origin + pathAndQuery);
    }

    private static boolean isOrigin(URI uri) {
        boolean hasPath = uri.getRawPath() != null
                && !uri.getRawPath().isEmpty()
                && !uri.getRawPath().equals("/");
        return uri.getHost() != null
                && !hasPath
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null
                && uri.getRawUserInfo() == null;
    }

    private static boolean isSafe(URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        return scheme.equals("https")
                || (scheme.equals("http")
                        && LOOPBACK.matcher(uri.getHost().toLowerCase(Locale.ROOT))
                                .matches());
    }
}
