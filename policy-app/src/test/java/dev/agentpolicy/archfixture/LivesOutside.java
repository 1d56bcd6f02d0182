package dev.agentpolicy.archfixture;

/** Breaks a rule on purpose: lies in no layer. */
final class LivesOutside {}
