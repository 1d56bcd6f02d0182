package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.CustodianFailure;
import java.io.Serial;

/** The broker understood a call and will not do it. The same call would be refused again. */
final class Declined extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final int status;
    private final String words;

    /**
     * @param status the HTTP status
     * @param words of the broker, without the credentials
     */
    Declined(int status, String words) {
        super(status + " " + words, null, false, false);
        this.status = status;
        this.words = words;
    }

    String words() {
        return words;
    }

    /** What the user is told of a call that only reads. */
    CustodianFailure refusal() {
        return CustodianFailure.refused(told());
    }

    /**
     * What the user is told of a call about an order that may exist. That the call is refused does not say whether it
     * does, for instance when the credentials have been withdrawn.
     */
    CustodianFailure doubt() {
        return CustodianFailure.away(told());
    }

    private String told() {
        boolean isAboutCredentials = status == UNAUTHORIZED || status == FORBIDDEN;
        return sentence(isAboutCredentials ? "Alpaca refused the credentials" : "Alpaca refused the call");
    }

    /** A sentence that ends with the broker's words. */
    String sentence(String what) {
        String trimmed = words.strip();
        return what + ": " + trimmed + (trimmed.endsWith(".") ? "" : ".");
    }
}
