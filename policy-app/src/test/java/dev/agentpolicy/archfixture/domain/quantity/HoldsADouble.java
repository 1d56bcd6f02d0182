package dev.agentpolicy.archfixture.domain.quantity;

/** Breaks a rule on purpose: money is exact. */
record HoldsADouble(double usd) {}
