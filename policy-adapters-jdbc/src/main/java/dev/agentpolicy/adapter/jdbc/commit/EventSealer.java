package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.sql.KeyNumbers;
import dev.agentpolicy.adapter.jdbc.sql.RowWriter.SealedEvent;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.RandomSource;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Seals drafts: gives them their places at the end of a chain, an id, a salt, a hash and a signature. */
public record EventSealer(EventSigner signer, KeyNumbers keys, RandomSource randomness) {
    private static final long VERSION_7 = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    /**
     * Consecutive events of a chain.
     *
     * @param events in order; before those of the drafts there may be one that introduces another signing key
     * @param keyId the key that must sign the next event
     */
    record SealedBatch(List<SealedEvent> events, String keyId) {}

    /**
     * Seals drafts as the next events of a chain.
     *
     * @param keyId the key that must sign the next event; null if any key may
     */
    SealedBatch seal(ChainHead head, @Nullable String keyId, List<EventDraft> drafts, Instant now) {
        List<SealedEvent> events = new ArrayList<>(drafts.size() + 1);
        EventSigner present = signer.current();
        ChainHead end = head;
        if (keyId != null && !keyId.equals(present.keyId())) {
            EventSigner.Rollover handover = signer.from(keyId).orElse(null);
            present = handover == null ? signer.current() : handover.newSigner();
            if (handover != null) {
                end = seal(events, end, List.of(handover.rotation(end).draft()), now, handover.signer());
            }
        }
        seal(events, end, drafts, now, present);
        return new SealedBatch(events, present.keyId());
    }

    private ChainHead seal(
            List<SealedEvent> events, ChainHead head, List<EventDraft> drafts, Instant now, EventSigner by) {
        ChainHead end = head;
        for (EventDraft draft : drafts) {
            byte[] random = randomness.bytes(Base64Url.SALT_BYTES + 2 * Long.BYTES);
            String salt = Base64Url.encode(Arrays.copyOf(random, Base64Url.SALT_BYTES));
            UUID id = id(now, ByteBuffer.wrap(random, Base64Url.SALT_BYTES, 2 * Long.BYTES));
            PolicyEvent event = EventChain.next(end, draft, id, salt, now, by.keyId(), by::sign);
            events.add(new SealedEvent(draft, event, keys.number(by.keyId())));
            end = ChainHead.after(event);
        }
        return end;
    }

    /** A UUID of version 7: milliseconds, then 74 random bits. */
    private static UUID id(Instant now, ByteBuffer random) {
        long high = now.toEpochMilli() << Short.SIZE | VERSION_7 | random.getLong() & 0xFFF;
        return new UUID(high, random.getLong() >>> 2 | VARIANT);
    }
}
