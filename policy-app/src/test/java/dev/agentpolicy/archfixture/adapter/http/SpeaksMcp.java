package dev.agentpolicy.archfixture.adapter.http;

import io.modelcontextprotocol.spec.McpSchema;

/** Breaks a rule on purpose: the libraries of the protocol stay in their room. */
final class SpeaksMcp {
    private final Class<?> protocol = McpSchema.class;
}
