package dev.agentpolicy.archfixture.domain.usecase;

/** Breaks a rule on purpose: knows a class of its room that knows it. */
public final class AsksBack {
    private final Class<?> asked = IsAsked.class;
}
