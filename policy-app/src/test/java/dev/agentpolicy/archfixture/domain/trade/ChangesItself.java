package dev.agentpolicy.archfixture.domain.trade;

/** Breaks a rule on purpose: values do not change. */
final class ChangesItself {
    int calls;
}
