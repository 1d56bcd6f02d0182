package dev.agentpolicy.app;

import dev.agentpolicy.domain.port.Chance;
import java.security.SecureRandom;
import java.util.UUID;

/** Unpredictable values from the operating system's generator. */
final class SecureChance implements Chance {
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
