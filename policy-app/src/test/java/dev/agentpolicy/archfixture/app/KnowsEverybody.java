package dev.agentpolicy.archfixture.app;

/** Breaks a rule on purpose: none; others break one by knowing it. */
public final class KnowsEverybody {}
