package dev.agentpolicy.domain.event.passkey;

/**
 * The console as passkeys know it.
 *
 * @param id its host name
 * @param origin its scheme, host and port, such as {@code https://policy.example}
 */
public record RelyingParty(String id, String origin) {}
