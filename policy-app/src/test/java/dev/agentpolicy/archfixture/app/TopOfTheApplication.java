package dev.agentpolicy.archfixture.app;

/** Breaks no rule itself; the rooms below look at it. */
public final class TopOfTheApplication {}
