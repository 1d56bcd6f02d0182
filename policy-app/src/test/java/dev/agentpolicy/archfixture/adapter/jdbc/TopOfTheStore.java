package dev.agentpolicy.archfixture.adapter.jdbc;

/** Breaks no rule itself; the rooms below look at it. */
public final class TopOfTheStore {}
