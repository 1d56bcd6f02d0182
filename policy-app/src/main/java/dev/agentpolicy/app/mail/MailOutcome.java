package dev.agentpolicy.app.mail;

import java.util.Locale;

/** What became of a mail. */
public enum MailOutcome {
    /** The server took it. */
    SENT,
    /** The address is not confirmed, and gets nothing but links. */
    UNCONFIRMED,
    /** The address is none, or the server will never take it. */
    REFUSED,
    /** The server did not take it in any attempt. */
    GIVEN_UP,
    /** Too many waited. */
    CROWDED_OUT;

    /** The name in metrics. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
