package dev.agentpolicy.archfixture.domain.port;

/** Breaks a rule on purpose: none; its implementation does. */
public interface PortInTheOpen {}
