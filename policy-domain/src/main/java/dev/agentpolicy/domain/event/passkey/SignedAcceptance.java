package dev.agentpolicy.domain.event.passkey;

/**
 * An acceptance that the user signed with a passkey.
 *
 * @param attested what was signed
 * @param assertion the signature over its challenge
 */
public record SignedAcceptance(AttestedRequest attested, PasskeyAssertion assertion) {}
