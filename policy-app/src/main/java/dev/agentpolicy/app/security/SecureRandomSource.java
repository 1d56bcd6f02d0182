package dev.agentpolicy.app.security;

import dev.agentpolicy.domain.port.RandomSource;
import java.security.SecureRandom;
import java.util.UUID;

/** Unpredictable values from the operating system's generator. */
public final class SecureRandomSource implements RandomSource {
    private final SecureRandom random = new SecureRandom();

    @Override
    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Override
    public UUID uuid() {
        return UUID.randomUUID();
    }
}
