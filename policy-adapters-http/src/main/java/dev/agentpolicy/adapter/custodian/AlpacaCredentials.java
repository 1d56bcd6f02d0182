package dev.agentpolicy.adapter.custodian;

import java.net.http.HttpRequest;

/**
 * A key of an Alpaca account and its secret. They leave this class in the two headers of a request only, and in no
 * message and no {@code toString}.
 */
public final class AlpacaCredentials {
    private static final int MAX_LENGTH = 128;
    private static final char FIRST_PRINTABLE = '!';
    private static final char LAST_PRINTABLE = '~';
    private static final String HIDDEN = "[hidden]";

    private final String keyId;
    private final String secretKey;

    private AlpacaCredentials(String keyId, String secretKey) {
        this.keyId = keyId;
        this.secretKey = secretKey;
    }

    /**
     * A key and its secret as the user copied them from Alpaca.
     *
     * @param keyId names the key
     * @param secretKey proves that the caller holds it
     * @throws IllegalArgumentException unless both are 1 to 128 printable ASCII characters without spaces; the message
     *     contains neither
     */
    public static AlpacaCredentials of(String keyId, String secretKey) {
        check("keyId", keyId);
        check("secretKey", secretKey);
        return new AlpacaCredentials(keyId, secretKey);
    }

    private static void check(String name, String value) {
        boolean isPrintable = value.chars().allMatch(c -> c >= FIRST_PRINTABLE && c <= LAST_PRINTABLE);
        if (value.isEmpty() || value.length() > MAX_LENGTH || !isPrintable) {
            throw new IllegalArgumentException(
                    name + " must be 1 to " + MAX_LENGTH + " printable ASCII characters without spaces.");
        }
    }

    HttpRequest.Builder authorize(HttpRequest.Builder request) {
        return request.setHeader("APCA-API-KEY-ID", keyId).setHeader("APCA-API-SECRET-KEY", secretKey);
    }

    /** Differs between keys as good as always, and tells nothing about the secret. */
    int fingerprint() {
        return keyId.hashCode();
    }

    /** A text of the broker without these credentials, should it repeat them. */
    String hide(String text) {
        return text.replace(secretKey, HIDDEN).replace(keyId, HIDDEN);
    }

    @Override
    public String toString() {
        return "AlpacaCredentials[" + HIDDEN + "]";
    }
}
