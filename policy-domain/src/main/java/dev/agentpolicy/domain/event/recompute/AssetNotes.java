package dev.agentpolicy.domain.event.recompute;

import dev.agentpolicy.domain.trade.AssetDirectory;
import dev.agentpolicy.domain.trade.AssetDirectory.Entry;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.ResolvedAsset.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Differences between the asset directory of the verifier and the resolved assets of decisions. They are no failure:
 * the directory of the service may have been older or newer. Not thread-safe.
 */
public final class AssetNotes {
    /** Notes that are kept; further ones are counted. */
    private static final int MAX_KEPT = 8;

    private final List<Note> kept = new ArrayList<>();
    private final AtomicLong count = new AtomicLong();

    AssetNotes() {}

    /**
     * One difference.
     *
     * @param seq the number of the row
     * @param what one sentence
     */
    public record Note(long seq, String what) {}

    /** The first notes. */
    public List<Note> first() {
        return List.copyOf(kept);
    }

    /** The number of notes, including those not kept. */
    public long count() {
        return count.getPlain();
    }

    void look(long seq, @Nullable ResolvedAsset asset) {
        Entry own = asset == null ? null : AssetDirectory.builtIn().find(asset.symbol());
        if (asset == null || asset.source() == Source.HELD || asset.source() == Source.LISTED || asset.pair() != null) {
            return;
        }
        boolean isKnown = asset.source() == Source.DIRECTORY;
        if (own == null ? isKnown : !isKnown || own.assetType() != asset.assetType()) {
            note(seq, asset, own);
        }
    }

    private void note(long seq, ResolvedAsset asset, @Nullable Entry own) {
        count.setPlain(count.getPlain() + 1);
        if (kept.size() < MAX_KEPT) {
            String recorded = asset.isKnown() ? asset.assetType().wireName() : "unknown";
            String mine = own == null ? "unknown" : own.assetType().wireName();
            kept.add(new Note(
                    seq,
                    asset.symbol() + " is recorded as " + recorded
                            + " by the directory of the service; the directory of " + "this verifier says " + mine
                            + "."));
        }
    }
}
