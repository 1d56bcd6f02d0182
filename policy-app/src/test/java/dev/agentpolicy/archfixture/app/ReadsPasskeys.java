package dev.agentpolicy.archfixture.app;

import com.webauthn4j.WebAuthnManager;

/** Breaks a rule on purpose: the library of passkeys stays in its room. */
final class ReadsPasskeys {
    private final Class<?> passkeys = WebAuthnManager.class;
}
