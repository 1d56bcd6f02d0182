package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** An immutable list of positions that finds one by symbol and sleeve: by a scan if it is short, else by a hash. */
final class Positions extends AbstractList<Position> implements RandomAccess {
    /** Up to this many positions, a scan is faster than a hash. */
    private static final int MAX_SCANNED = 8;

    private final List<Position> all;
    private final Map<AssetSymbol, Position> crypto;
    private final Map<AssetSymbol, Position> tradfi;

    private Positions(List<Position> positions) {
        this.all = List.copyOf(positions);
        this.crypto = index(all, AssetType.CRYPTO);
        this.tradfi = index(all, AssetType.TRADFI);
    }

    static Positions copyOf(List<Position> positions) {
        return positions instanceof Positions copied ? copied : new Positions(positions);
    }

    @Nullable
    Position find(AssetSymbol symbol, AssetType type) {
        if (all.size() > MAX_SCANNED) {
            return (type == AssetType.CRYPTO ? crypto : tradfi).get(symbol);
        }
        for (Position position : all) {
            if (position.isOf(symbol, type)) {
                return position;
            }
        }
        return null;
    }

    @Override
    public Position get(int place) {
        return all.get(place);
    }

    @Override
    public int size() {
        return all.size();
    }

    private static Map<AssetSymbol, Position> index(List<Position> all, AssetType type) {
        if (all.size() <= MAX_SCANNED) {
            return Map.of();
        }
        Map<AssetSymbol, Position> index = new HashMap<>();
        for (Position position : all) {
            if (position.assetType() == type) {
                index.putIfAbsent(position.symbol(), position);
            }
        }
        return index;
    }
}
