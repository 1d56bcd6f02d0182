package dev.agentpolicy.archfixture.domain.sandbox;

/** Breaks no rule itself; the rooms below look at it. */
public final class TopOfTheDomain {}
