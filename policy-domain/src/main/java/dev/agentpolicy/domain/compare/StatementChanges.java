package dev.agentpolicy.domain.compare;

import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The members in which one statement differs from another one, in the order of the document, and each change alone. */
final class StatementChanges {
    private final Ips from;
    private final Ips to;
    private final Function<Ips, PolicyRelation> alone;
    private final List<PolicyChange> changes = new ArrayList<>();

    private StatementChanges(Ips from, Ips to, Function<Ips, PolicyRelation> alone) {
        this.from = from;
        this.to = to;
        this.alone = alone;
    }

    /**
     * All changes.
     *
     * @param alone how a statement with one of the changes stands to the one before
     */
    static List<PolicyChange> of(Ips from, Ips to, Function<Ips, PolicyRelation> alone) {
        StatementChanges all = new StatementChanges(from, to, alone);
        all.band(AssetType.CRYPTO);
        all.band(AssetType.TRADFI);
        all.add("cashFloor", from.cashFloor(), to.cashFloor(), from.withCashFloor(to.cashFloor()));
        all.add("maxDrawdown", from.maxDrawdown(), to.maxDrawdown(), from.withMaxDrawdown(to.maxDrawdown()));
        all.add("maxSlippage", from.maxSlippage(), to.maxSlippage(), from.withMaxSlippage(to.maxSlippage()));
        all.add(
                "allowedActions",
                from.allowedActions(),
                to.allowedActions(),
                from.withAllowedActions(to.allowedActions()));
        all.authority(from.assetAuthority(), to.assetAuthority());
        all.items("standingRules", from.standingRules(), to.standingRules(), StandingRule::id, from::withStandingRules);
        all.items("limits", from.limits(), to.limits(), Limit::id, from::withLimits);
        all.add("unknownAssets", from.unknownAssets(), to.unknownAssets(), from.withUnknownAssets(to.unknownAssets()));
        all.add("approvals", from.approvals(), to.approvals(), from.withApprovals(to.approvals()));
        all.add("paused", from.isPaused(), to.isPaused(), from.withPaused(to.isPaused()));
        all.add("tier", from.tier(), to.tier(), from);
        return List.copyOf(all.changes);
    }

    private void add(String path, @Nullable Object before, @Nullable Object after, Ips changed) {
        if (!Objects.equals(before, after)) {
            changes.add(new PolicyChange(path, alone.apply(changed), before, after));
        }
    }

    private void band(AssetType sleeve) {
        AllocationBand was = from.band(sleeve);
        AllocationBand is = to.band(sleeve);
        String path = sleeve.wireName() + ".";
        edge(path + "min", sleeve, was.min(), is.min(), is.min(), was.max());
        add(path + "target", was.target(), is.target(), from);
        edge(path + "max", sleeve, was.max(), is.max(), was.min(), is.max());
    }

    /** An edge of a band; alone it may pass the other one, and then the direction says what it does. */
    private void edge(String path, AssetType sleeve, Fraction before, Fraction after, Fraction min, Fraction max) {
        if (!min.isAbove(max)) {
            add(path, before, after, from.withBand(sleeve, new AllocationBand(min, min, max)));
        } else {
            boolean isUp = after.isAbove(before);
            boolean isMax = after.equals(max);
            changes.add(new PolicyChange(
                    path, isUp == isMax ? PolicyRelation.LOOSER : PolicyRelation.TIGHTER, before, after));
        }
    }

    private void authority(AssetAuthority was, AssetAuthority is) {
        add(
                "assetAuthority.default",
                was.standard(),
                is.standard(),
                from.withAssetAuthority(new AssetAuthority(is.standard(), was.assets())));
        SortedMap<AssetSymbol, Level> all = new TreeMap<>(was.assets());
        all.putAll(is.assets());
        for (AssetSymbol symbol : all.keySet()) {
            Level before = was.assets().get(symbol);
            Level after = is.assets().get(symbol);
            Map<AssetSymbol, Level> levels = new TreeMap<>(was.assets());
            levels.remove(symbol);
            if (after != null) {
                levels.put(symbol, after);
            }
            add(
                    "assetAuthority.assets." + symbol,
                    before,
                    after,
                    from.withAssetAuthority(new AssetAuthority(was.standard(), levels)));
        }
    }

    /** Items are the same if their ids are; their order alone changes no verdict. */
    private <T> void items(String name, List<T> was, List<T> is, Function<T, String> id, Function<List<T>, Ips> with) {
        Map<String, T> after = new TreeMap<>();
        is.forEach(item -> after.put(id.apply(item), item));
        for (int i = 0; i < was.size(); i++) {
            T item = was.get(i);
            T next = after.remove(id.apply(item));
            List<T> changed = new ArrayList<>(was);
            if (next == null) {
                changed.remove(i);
            } else {
                changed.set(i, next);
            }
            add(name + "[" + id.apply(item) + "]", item, next, with.apply(changed));
        }
        for (T item : is) {
            if (after.containsKey(id.apply(item))) {
                List<T> changed = new ArrayList<>(was);
                changed.add(item);
                add(name + "[" + id.apply(item) + "]", null, item, with.apply(changed));
            }
        }
    }
}
