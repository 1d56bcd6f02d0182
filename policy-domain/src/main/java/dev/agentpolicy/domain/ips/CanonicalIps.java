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

/**
 * Replaces the symbols of a statement by canonical ones before it is stored (docs/reference/rules.md, Asset identity).
 */
public final class CanonicalIps {
    private static final String ASSETS = "assetAuthority.assets";

    private CanonicalIps() {}

    /** The statement with canonical symbols. Two spellings of one asset in one list are a problem. */
    public static Reading<Ips> of(Ips ips, AssetResolver resolver) {
        Map<AssetSymbol, Level> levels = ips.assetAuthority().assets();
        List<Problem> problems =
                new ArrayList<>(resolver.canonical(ASSETS, levels.keySet()).problems());
        List<StandingRule> rules = new ArrayList<>();
        for (int i = 0; i < ips.standingRules().size(); i++) {
            StandingRule rule = ips.standingRules().get(i);
            Set<AssetSymbol> symbols = rule.when().symbols();
            if (symbols == null) {
                rules.add(rule);
                continue;
            }
            Reading<Set<AssetSymbol>> canonical = resolver.canonical("standingRules[" + i + "].when.symbols", symbols);
            problems.addAll(canonical.problems());
            rules.add(canonical.fold(found -> of(rule, found), wrong -> rule));
        }
        if (!problems.isEmpty()) {
            return Reading.wrong(problems);
        }
        Map<AssetSymbol, Level> spelled = new TreeMap<>();
        levels.forEach((symbol, level) -> spelled.put(resolver.canonical(symbol), level));
        AssetAuthority authority = new AssetAuthority(ips.assetAuthority().standard(), spelled);
        List<Approval> approvals = ips.approvals().stream()
                .map(approval -> {
                    AssetSymbol symbol = approval.symbol();
                    return symbol == null ? approval : approval.of(resolver.canonical(symbol));
                })
                .toList();
        return Reading.of(
                ips.withAssetAuthority(authority).withStandingRules(rules).withApprovals(approvals));
    }

    private static StandingRule of(StandingRule rule, Set<AssetSymbol> symbols) {
        When when = rule.when();
        return new StandingRule(
                rule.id(),
                rule.effect(),
                rule.reason(),
                new When(
                        when.actions(),
                        when.assetTypes(),
                        symbols,
                        when.amountUsdAbove(),
                        when.hours(),
                        when.daysOfWeek()));
    }
}
