package dev.agentpolicy.archfixture.app;

import com.google.crypto.tink.KeysetHandle;

/** Breaks a rule on purpose: keys are touched in the signing adapter only. */
final class SignsItself {
    private final Class<?> keys = KeysetHandle.class;
}
