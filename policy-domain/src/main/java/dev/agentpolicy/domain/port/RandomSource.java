package dev.agentpolicy.domain.port;

import java.util.UUID;

/** Unpredictable values; the domain draws none of its own. */
public interface RandomSource {

    byte[] bytes(int length);

    /** A random UUID (version 4). */
    UUID uuid();
}
