package dev.agentpolicy.archfixture.domain.usecase;

/** Breaks a rule on purpose: none; it is made in the wrong place. */
public final class UseCase {
    public UseCase() {}
}
