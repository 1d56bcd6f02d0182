package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.trade.AssetPair;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A pair or derivative that an account has from before such symbols were refused, or from a broker, and that stays
 * (docs/reference/rules.md, Pairs and derivatives). It is an asset of its own: what names its base does not hold for it.
 *
 * @param symbol as it is stored
 * @param pair what it would be read as
 * @param places where it is stored, in their order
 */
public record StoredPair(AssetSymbol symbol, AssetPair pair, Set<Place> places) {

    /** Where symbols are stored. */
    public enum Place {
        POLICY("policy"),
        KEYS("keys"),
        HOLDINGS("holdings");

        private final String wireName;

        Place(String wireName) {
            this.wireName = wireName;
        }

        /** As in answers. */
        public String wireName() {
            return wireName;
        }
    }

    /** All of an account, in alphabetical order. */
    static List<StoredPair> of(AccountView account, Instant now) {
        IpsVersion ips = account.ips();
        Map<AssetSymbol, Set<Place>> places = new TreeMap<>();
        if (ips != null) {
            note(ips.ips().named(), Place.POLICY, places);
        }
        for (AgentKey key : account.keys().values()) {
            Set<AssetSymbol> allowed = key.policy().allowedAssets();
            if (key.isActive(now) && allowed != null) {
                note(allowed, Place.KEYS, places);
            }
        }
        if (account.portfolio() != null) {
            for (CustodianHoldings holdings : account.portfolio().custodians()) {
                note(holdings.positions().stream().map(Position::symbol).toList(), Place.HOLDINGS, places);
            }
        }
        AssetResolver resolver = KnownAssets.resolver(account.portfolio(), ips, List.of());
        List<StoredPair> stored = new ArrayList<>();
        places.forEach((symbol, where) -> {
            AssetPair pair = resolver.pairIfUnknown(symbol);
            if (pair != null) {
                stored.add(new StoredPair(symbol, pair, where));
            }
        });
        return stored;
    }

    private static void note(Collection<AssetSymbol> symbols, Place place, Map<AssetSymbol, Set<Place>> places) {
        for (AssetSymbol symbol : symbols) {
            places.computeIfAbsent(symbol, any -> EnumSet.noneOf(Place.class)).add(place);
        }
    }
}
