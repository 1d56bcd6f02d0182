package dev.agentpolicy.domain.trade;

import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Word;
import org.jspecify.annotations.Nullable;

/**
 * The asset of a trade, resolved in an account.
 *
 * @param symbol canonical symbol
 * @param sent the symbol as the agent wrote it
 * @param assetType its sleeve: the known one, or for an unknown asset the one in the call
 * @param source where the sleeve comes from
 * @param pair what the symbol says in place of an asset; null when it names one
 */
public record ResolvedAsset(
        AssetSymbol symbol,
        String sent,
        AssetType assetType,
        Source source,
        @Nullable AssetPair pair) {

    /** The members of a resolved asset as it is signed and stored; rows from before there were pairs have none. */
    public static final Schema<ResolvedAsset> SCHEMA = Schema.of(
            row -> new ResolvedAsset(row.next(), row.next(), row.next(), row.next(), pair(row.next(), row.next())),
            required("symbol", AssetSymbol.CODEC, ResolvedAsset::symbol),
            required("sent", Codec.TEXT, ResolvedAsset::sent),
            required("assetType", Codec.word(AssetType.class), ResolvedAsset::assetType),
            required("source", Codec.word(Source.class), ResolvedAsset::source),
            optional("base", AssetSymbol.CODEC, it -> it.pair == null ? null : it.pair.base()),
            optional("quote", AssetSymbol.CODEC, it -> it.pair == null ? null : it.pair.quote()));

    /** @throws IllegalArgumentException when the source does not go with the pair */
    public ResolvedAsset {
        boolean isOfPair = source == Source.PAIR || source == Source.DERIVATIVE;
        if (pair == null ? isOfPair : source != source(pair)) {
            throw new IllegalArgumentException(source.wireName() + " does not go with " + pair + ".");
        }
    }

    /** An asset, which is neither a pair nor a derivative. */
    public ResolvedAsset(AssetSymbol symbol, String sent, AssetType assetType, Source source) {
        this(symbol, sent, assetType, source, null);
    }

    /** A pair or derivative of a crypto asset, which cannot be traded. */
    static ResolvedAsset of(AssetPair pair, AssetSymbol symbol, String sent) {
        return new ResolvedAsset(symbol, sent, AssetType.CRYPTO, source(pair), pair);
    }

    private static @Nullable AssetPair pair(@Nullable AssetSymbol base, @Nullable AssetSymbol quote) {
        return base == null ? null : new AssetPair(base, quote);
    }

    private static Source source(AssetPair pair) {
        return pair.quote() == null ? Source.DERIVATIVE : Source.PAIR;
    }

    /** Where the sleeve of an asset comes from, the most trusted source first. */
    public enum Source implements Word {
        /** The account holds the asset. */
        HELD,
        /** A list of the user has it. */
        LISTED,
        /** The built-in directory has it. */
        DIRECTORY,
        /** The asset is unknown, and the call was believed. */
        SAID,
        /** The asset is unknown, and the account blocks such assets. */
        UNKNOWN,
        /** The symbol names a crypto asset against something else than dollars. */
        PAIR,
        /** The symbol names a derivative of a crypto asset. */
        DERIVATIVE
    }

    /** Whether the account or the directory knows the sleeve, of a pair that of its base. */
    public boolean isKnown() {
        return source != Source.SAID && source != Source.UNKNOWN;
    }

    /** Whether a call with this sleeve is refused for its asset alone: it is wrong about the asset, or names none. */
    public boolean refuses(AssetType claimed) {
        return pair != null || assetType != claimed;
    }

    /** This asset in an account with this treatment of unknown assets. */
    public ResolvedAsset under(UnknownAssets treatment) {
        Source unknown = treatment == UnknownAssets.BLOCK ? Source.UNKNOWN : Source.SAID;
        return isKnown() || source == unknown ? this : new ResolvedAsset(symbol, sent, assetType, unknown);
    }
}
