package dev.agentpolicy.domain.trade;

import org.jspecify.annotations.Nullable;

/** The assets that one account knows, by canonical symbol. */
public interface AccountAssets {
    /** An account that knows no assets. */
    AccountAssets NONE = new AccountAssets() {
        @Override
        public @Nullable AssetType held(AssetSymbol symbol) {
            return null;
        }

        @Override
        public @Nullable AssetType listed(AssetSymbol symbol) {
            return null;
        }

        @Override
        public boolean isNamed(AssetSymbol symbol) {
            return false;
        }
    };

    /** The sleeve in which the account holds the asset; null when it does not, crypto when it holds it in both. */
    @Nullable
    AssetType held(AssetSymbol symbol);

    /** The sleeve in which the user's lists put the asset; null when none does, crypto when they disagree. */
    @Nullable
    AssetType listed(AssetSymbol symbol);

    /** Whether the policy statement names the symbol. */
    boolean isNamed(AssetSymbol symbol);
}
