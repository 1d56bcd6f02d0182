package dev.agentpolicy.domain.trade;

/**
 * What the asset of a trade was taken for, and why.
 *
 * @param symbol canonical symbol
 * @param sent the symbol as the agent wrote it
 * @param assetType its sleeve: the known one, or the one the call named when nobody knows the asset
 * @param source who knows the sleeve
 */
public record ResolvedAsset(AssetSymbol symbol, String sent, AssetType assetType, Source source) {

    /** Who knows the sleeve of an asset, the most trusted first. */
    public enum Source {
        /** The account holds the asset. */
        HELD("held"),
        /** A list of the user's puts it in a sleeve. */
        LISTED("listed"),
        /** The built-in directory has it. */
        DIRECTORY("directory"),
        /** Nobody; the call was believed. */
        SAID("said"),
        /** Nobody; the account blocks such assets. */
        UNKNOWN("unknown");

        private final String wireName;

        Source(String wireName) {
            this.wireName = wireName;
        }

        /** The source as the log writes it. */
        public String wireName() {
            return wireName;
        }
    }

    /** Whether the account or the directory knows the sleeve. */
    public boolean isKnown() {
        return source != Source.SAID && source != Source.UNKNOWN;
    }

    /** Whether a call that names this sleeve is wrong about the asset. */
    public boolean contradicts(AssetType said) {
        return assetType != said;
    }

    /** The same asset in an account that treats unknown assets so. */
    public ResolvedAsset under(UnknownAssets treatment) {
        Source unknown = treatment == UnknownAssets.BLOCK ? Source.UNKNOWN : Source.SAID;
        return isKnown() || source == unknown ? this : new ResolvedAsset(symbol, sent, assetType, unknown);
    }
}
