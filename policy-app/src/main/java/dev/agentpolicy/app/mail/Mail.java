package dev.agentpolicy.app.mail;

/** A mail of plain text. Its text may hold a secret link, so it is never printed. */
record Mail(String to, String subject, String text) {
    @Override
    public String toString() {
        return "Mail[" + subject + "]";
    }
}
