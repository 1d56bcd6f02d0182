package dev.agentpolicy.domain.trade;

/**
 * The asset of a trade, resolved in an account.
 *
 * @param symbol canonical symbol
 * @param sent the symbol as the agent wrote it
 * @param assetType its sleeve: the known one, or for an unknown asset the one in the call
 * @param source where the sleeve comes from
 */
public record ResolvedAsset(AssetSymbol symbol, String sent, AssetType assetType, Source source) {

    /** Where the sleeve of an asset comes from, the most trusted source first. */
    public enum Source {
        /** The account holds the asset. */
        HELD("held"),
        /** A list of the user has it. */
        LISTED("listed"),
        /** The built-in directory has it. */
        DIRECTORY("directory"),
        /** The asset is unknown, and the call was believed. */
        SAID("said"),
        /** The asset is unknown, and the account blocks such assets. */
        UNKNOWN("unknown");

        private final String wireName;

        Source(String wireName) {
            this.wireName = wireName;
        }

        /** The name in the log. */
        public String wireName() {
            return wireName;
        }
    }

    /** Whether the account or the directory knows the sleeve. */
    public boolean isKnown() {
        return source != Source.SAID && source != Source.UNKNOWN;
    }

    /** Whether a call with this sleeve is wrong about the asset. */
    public boolean contradicts(AssetType claimed) {
        return assetType != claimed;
    }

    /** This asset in an account with this treatment of unknown assets. */
    public ResolvedAsset under(UnknownAssets treatment) {
        Source unknown = treatment == UnknownAssets.BLOCK ? Source.UNKNOWN : Source.SAID;
        return isKnown() || source == unknown ? this : new ResolvedAsset(symbol, sent, assetType, unknown);
    }
}
