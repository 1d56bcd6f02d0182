package dev.agentpolicy.domain.port;

/** Derives the tokens of connections, with a secret that all nodes share and nobody else knows. Thread-safe. */
public interface TokenDerivation {

    /** 32 bytes that follow from a text, and that nobody can compute without the secret. */
    byte[] derive(String text);
}
