package dev.agentpolicy.archfixture.domain.trade;

/** Breaks a rule on purpose: the environment is read in the application only. */
final class ReadsTheEnvironment {
    String home() {
        return System.getenv("HOME");
    }
}
