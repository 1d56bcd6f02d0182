package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.port.RandomSource;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Distinct values that are the same in every run. */
public final class CountingRandom implements RandomSource {
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
