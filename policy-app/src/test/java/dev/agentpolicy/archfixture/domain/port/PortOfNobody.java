package dev.agentpolicy.archfixture.domain.port;

/** Breaks a rule on purpose: a port without an implementation. */
public interface PortOfNobody {}
