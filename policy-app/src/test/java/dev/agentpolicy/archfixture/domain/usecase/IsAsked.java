package dev.agentpolicy.archfixture.domain.usecase;

/** Breaks a rule on purpose, with {@link AsksBack}. */
public final class IsAsked {
    private final Class<?> back = AsksBack.class;
}
