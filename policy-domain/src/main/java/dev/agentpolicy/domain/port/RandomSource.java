package dev.agentpolicy.domain.port;

import java.util.UUID;

/** Makes unpredictable values. The domain has no other source of randomness. */
public interface RandomSource {

    byte[] bytes(int length);

    /** A random UUID (version 4). */
    UUID uuid();
}
