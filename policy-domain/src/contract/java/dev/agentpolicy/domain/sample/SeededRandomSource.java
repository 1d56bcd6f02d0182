package dev.agentpolicy.domain.sample;

import dev.agentpolicy.domain.port.RandomSource;
import java.util.Random;
import java.util.UUID;

/** A source of randomness that can be repeated by its seed. */
public record SeededRandomSource(Random random) implements RandomSource {

    @Override
    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Override
    public UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
