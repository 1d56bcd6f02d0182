package dev.agentpolicy.domain.port;

/** Turns passwords into what may be stored, and compares. */
public interface Passwords {

    String hash(String password);

    boolean matches(String password, String hash);
}
