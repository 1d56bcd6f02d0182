package dev.agentpolicy.domain.sample;

import dev.agentpolicy.domain.port.RandomSource;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Draws 1, 2, 3 and so on: values that differ and are the same in every run. Thread-safe. */
public final class CountingRandomSource implements RandomSource {
    private final AtomicLong drawn = new AtomicLong();

    @Override
    public byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        ByteBuffer.wrap(bytes).putLong(drawn.incrementAndGet());
        return bytes;
    }

    @Override
    public UUID uuid() {
        return new UUID(0x4000, 0x8000000000000000L | drawn.incrementAndGet());
    }
}
