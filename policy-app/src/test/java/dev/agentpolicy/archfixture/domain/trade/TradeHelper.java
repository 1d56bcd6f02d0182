package dev.agentpolicy.archfixture.domain.trade;

/** Breaks a rule on purpose: its name says nothing. */
final class TradeHelper {}
