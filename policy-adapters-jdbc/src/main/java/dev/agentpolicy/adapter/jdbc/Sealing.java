package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.event.Base64Url;
import dev.agentpolicy.domain.event.ChainHead;
import dev.agentpolicy.domain.event.EventChain;
import dev.agentpolicy.domain.event.EventDraft;
import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.port.Chance;
import dev.agentpolicy.domain.port.EventSigner;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Gives drafts their places behind the end of a chain, an id, a salt and a signature. */
record Sealing(EventSigner signer, Chance chance) {
    private static final long VERSION_7 = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    List<PolicyEvent> seal(ChainHead head, List<EventDraft> drafts, Instant now) {
        List<PolicyEvent> events = new ArrayList<>(drafts.size());
        ChainHead end = head;
        for (EventDraft draft : drafts) {
            byte[] random = chance.bytes(Base64Url.SALT_BYTES + 2 * Long.BYTES);
            String salt = Base64Url.encode(Arrays.copyOf(random, Base64Url.SALT_BYTES));
            UUID id = id(now, ByteBuffer.wrap(random, Base64Url.SALT_BYTES, 2 * Long.BYTES));
            PolicyEvent event = EventChain.next(end, draft, id, salt, now, signer.keyId(), signer::sign);
            events.add(event);
            end = ChainHead.after(event);
        }
        return events;
    }

    /** A UUID of version 7: milliseconds, then 74 random bits. */
    private static UUID id(Instant now, ByteBuffer random) {
        long high = now.toEpochMilli() << Short.SIZE | VERSION_7 | random.getLong() & 0xFFF;
        return new UUID(high, random.getLong() >>> 2 | VARIANT);
    }
}
