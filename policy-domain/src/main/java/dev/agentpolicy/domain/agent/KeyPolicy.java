package dev.agentpolicy.domain.agent;

import static dev.agentpolicy.domain.document.Schema.nullable;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.TradePayload;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The caps of one key (docs/reference/keys.md); null means no cap.
 *
 * @param dailyCallCap admitted calls per UTC day; each trade of a batch counts as one
 * @param dailyUsdCap notional of allowed proposals per UTC day
 * @param aumCapUsd pending buys plus completed buys minus completed sells
 * @param allowedAssets the assets the key may trade
 * @param allowedAssetTypes the sleeves the key may trade
 * @param isPaused whether the user paused the key, so that no trade of it is allowed
 */
public record KeyPolicy(
        @Nullable Integer dailyCallCap,
        @Nullable Usd dailyUsdCap,
        @Nullable Usd aumCapUsd,
        @Nullable Set<AssetSymbol> allowedAssets,
        @Nullable Set<AssetType> allowedAssetTypes,
        boolean isPaused) {
    private static final int MAX_ASSETS = 200;
    private static final String ALLOWED_ASSETS = "policy.allowedAssets";
    public static final KeyPolicy NO_CAPS = new KeyPolicy(null, null, null, null, null);

    /** The members of caps that users send and the log has. */
    public static final Schema<KeyPolicy> SCHEMA = Schema.of(
            row -> new KeyPolicy(row.next(), row.next(), row.next(), row.next(), row.next()),
            nullable("dailyCallCap", Codec.integer(0, Integer.MAX_VALUE), KeyPolicy::dailyCallCap),
            nullable("dailyUsdCap", TradePayload.AMOUNT, KeyPolicy::dailyUsdCap),
            nullable("aumCapUsd", TradePayload.AMOUNT, KeyPolicy::aumCapUsd),
            nullable("allowedAssets", AssetSymbol.set(MAX_ASSETS), KeyPolicy::allowedAssets),
            nullable("allowedAssetTypes", Codec.words(AssetType.class), KeyPolicy::allowedAssetTypes));

    public KeyPolicy {
        allowedAssets = allowedAssets == null ? null : Set.copyOf(allowedAssets);
        allowedAssetTypes = allowedAssetTypes == null ? null : Set.copyOf(allowedAssetTypes);
    }

    /** The caps of a key that is not paused. */
    public KeyPolicy(
            @Nullable Integer dailyCallCap,
            @Nullable Usd dailyUsdCap,
            @Nullable Usd aumCapUsd,
            @Nullable Set<AssetSymbol> allowedAssets,
            @Nullable Set<AssetType> allowedAssetTypes) {
        this(dailyCallCap, dailyUsdCap, aumCapUsd, allowedAssets, allowedAssetTypes, false);
    }

    /** The same caps, of a paused key or not. */
    public KeyPolicy withPaused(boolean pauses) {
        return new KeyPolicy(dailyCallCap, dailyUsdCap, aumCapUsd, allowedAssets, allowedAssetTypes, pauses);
    }

    /** This policy with another daily cap on calls. */
    public KeyPolicy withDailyCallCap(@Nullable Integer calls) {
        return new KeyPolicy(calls, dailyUsdCap, aumCapUsd, allowedAssets, allowedAssetTypes, isPaused);
    }

    /** This policy with another daily cap on the notional of proposals. */
    public KeyPolicy withDailyUsdCap(@Nullable Usd notional) {
        return new KeyPolicy(dailyCallCap, notional, aumCapUsd, allowedAssets, allowedAssetTypes, isPaused);
    }

    /** This policy with another cap on assets under management. */
    public KeyPolicy withAumCap(@Nullable Usd managed) {
        return new KeyPolicy(dailyCallCap, dailyUsdCap, managed, allowedAssets, allowedAssetTypes, isPaused);
    }

    /**
     * The same caps with canonical symbols. Two spellings of one asset among the allowed assets are a problem, and so are
     * pairs and derivatives.
     *
     * @param before the caps of the key so far, whose assets may stay; {@link #NO_CAPS} for a new key
     */
    public Reading<KeyPolicy> canonical(AssetResolver resolver, KeyPolicy before) {
        if (allowedAssets == null) {
            return Reading.of(this);
        }
        Predicate<AssetSymbol> isStored = asset -> before.allowedAssets != null && before.allowedAssets.contains(asset);
        return resolver.canonical(ALLOWED_ASSETS, allowedAssets, isStored).then(assets -> {
            List<Problem> problems = resolver.unnameable(ALLOWED_ASSETS, assets, isStored);
            return problems.isEmpty() ? Reading.of(withAllowedAssets(assets.values())) : Reading.wrong(problems);
        });
    }

    private KeyPolicy withAllowedAssets(Collection<AssetSymbol> assets) {
        return new KeyPolicy(dailyCallCap, dailyUsdCap, aumCapUsd, Set.copyOf(assets), allowedAssetTypes, isPaused);
    }

    /** Whether a key may do something with these caps that it may not do with others. */
    boolean permitsMoreThan(KeyPolicy others) {
        return others.isPaused && !isPaused
                || isAbove(dailyCallCap, others.dailyCallCap)
                || isAbove(dailyUsdCap, others.dailyUsdCap)
                || isAbove(aumCapUsd, others.aumCapUsd)
                || isWider(allowedAssets, others.allowedAssets)
                || isWider(allowedAssetTypes, others.allowedAssetTypes);
    }

    private static <T extends Comparable<? super T>> boolean isAbove(@Nullable T cap, @Nullable T other) {
        return other != null && (cap == null || cap.compareTo(other) > 0);
    }

    private static boolean isWider(@Nullable Set<?> allowed, @Nullable Set<?> others) {
        return others != null && (allowed == null || !others.containsAll(allowed));
    }

    public boolean mayTrade(AssetSymbol asset, AssetType type) {
        return (allowedAssets == null || allowedAssets.contains(asset))
                && (allowedAssetTypes == null || allowedAssetTypes.contains(type));
    }
}
