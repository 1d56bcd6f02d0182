package dev.agentpolicy.archfixture.adapter.http.server;

/** Breaks no rule itself; the rooms below look at it. */
public final class TopOfTheServer {}
