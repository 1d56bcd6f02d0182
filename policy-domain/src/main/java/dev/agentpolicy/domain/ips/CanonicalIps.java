package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the symbols of a statement by canonical ones before it is stored (docs/reference/rules.md, Asset identity).
 */
public final class CanonicalIps {
    private CanonicalIps() {}

    /**
     * The statement with canonical symbols. Two spellings of one asset in one list are a problem, and so are pairs and
     * derivatives that the statement in force does not name already.
     *
     * @param resolver knows what the account holds and lists
     * @param inForce null when there is none
     */
    public static Reading<Ips> of(Ips ips, AssetResolver resolver, @Nullable Ips inForce) {
        SymbolLists lists = new SymbolLists(resolver, resolver.naming(ips::names), inForce, new ArrayList<>());
        Map<AssetSymbol, Level> levels = ips.assetAuthority().assets();
        Map<AssetSymbol, AssetSymbol> assets = lists.canonical("assetAuthority.assets", levels.keySet());
        Map<AssetSymbol, Level> spelled = new TreeMap<>();
        levels.forEach((symbol, level) -> spelled.put(assets.getOrDefault(symbol, symbol), level));
        List<StandingRule> rules = new ArrayList<>();
        for (int i = 0; i < ips.standingRules().size(); i++) {
            StandingRule rule = ips.standingRules().get(i);
            When when = lists.canonical("standingRules[" + i + "].when", rule.when());
            rules.add(new StandingRule(rule.id(), rule.effect(), rule.reason(), when));
        }
        List<Limit> limits = new ArrayList<>();
        for (int i = 0; i < ips.limits().size(); i++) {
            Limit limit = ips.limits().get(i);
            limits.add(limit.with(lists.canonical("limits[" + i + "].scope", limit.scope())));
        }
        int repeated = Limit.repeatedForm(limits);
        if (repeated >= 0 && lists.problems().isEmpty()) {
            String field = "limits[" + repeated + "]";
            lists.problems().add(new Problem(field, field + " " + IpsDocument.SAME_FORM + "."));
        }
        List<Approval> approvals = new ArrayList<>();
        for (int i = 0; i < ips.approvals().size(); i++) {
            Approval approval = ips.approvals().get(i);
            AssetSymbol symbol = approval.symbol();
            approvals.add(
                    symbol == null ? approval : approval.of(lists.canonical("approvals[" + i + "].symbol", symbol)));
        }
        AssetAuthority authority = new AssetAuthority(ips.assetAuthority().standard(), spelled);
        return lists.problems().isEmpty()
                ? Reading.of(ips.withAssetAuthority(authority)
                        .withStandingRules(rules)
                        .withLimits(limits)
                        .withApprovals(approvals))
                : Reading.wrong(lists.problems());
    }

    /** Reads the lists of symbols in a statement and collects their problems. */
    private record SymbolLists(
            AssetResolver resolver,
            AssetResolver naming,
            @Nullable Ips inForce,
            List<Problem> problems) {

        Map<AssetSymbol, AssetSymbol> canonical(String field, Set<AssetSymbol> spellings) {
            Reading<Map<AssetSymbol, AssetSymbol>> read = resolver.canonical(field, spellings, this::isStored);
            problems.addAll(read.fold(symbols -> naming.unnameable(field, symbols, this::isStored), wrong -> wrong));
            return read.fold(symbols -> symbols, wrong -> Map.of());
        }

        When canonical(String field, When when) {
            Set<AssetSymbol> symbols = when.symbols();
            return symbols == null
                    ? when
                    : when.of(Set.copyOf(canonical(field + ".symbols", symbols).values()));
        }

        AssetSymbol canonical(String field, AssetSymbol spelling) {
            AssetSymbol symbol = resolver.canonical(spelling);
            problems.addAll(naming.unnameable(field, Map.of(spelling, symbol), this::isStored));
            return symbol;
        }

        private boolean isStored(AssetSymbol symbol) {
            return inForce != null && inForce.mentions(symbol);
        }
    }
}
