package dev.agentpolicy.archfixture.domain.sandbox;

/** Breaks a rule on purpose: none; the rooms below look at it. */
public final class TopOfTheDomain {}
