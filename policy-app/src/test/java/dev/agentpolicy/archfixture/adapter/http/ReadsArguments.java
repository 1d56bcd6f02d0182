package dev.agentpolicy.archfixture.adapter.http;

import picocli.CommandLine;

/** Breaks a rule on purpose: the command line is read in the application only. */
final class ReadsArguments {
    private final Class<?> arguments = CommandLine.class;
}
