package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the symbols of holdings by canonical ones before they are stored, and refuses holdings of one asset in two
 * sleeves (docs/reference/rules.md, Asset identity).
 */
public final class CanonicalHoldings {

    private CanonicalHoldings() {}

    /**
     * The holdings with canonical symbols, or their problems.
     *
     * @param known the present portfolio, of which the holdings of this custodian do not count
     */
    public static Reading<CustodianHoldings> of(
            CustodianHoldings holdings, AssetResolver resolver, @Nullable Portfolio known) {
        List<Problem> problems = new ArrayList<>();
        Map<AssetSymbol, Position> seen = new HashMap<>();
        List<Position> spelled = new ArrayList<>();
        for (int i = 0; i < holdings.positions().size(); i++) {
            Position sent = holdings.positions().get(i);
            Position position = sent.of(resolver.canonical(sent.symbol()));
            Position before = seen.put(position.symbol(), sent);
            String item = "positions[" + i + "].";
            if (before != null && before.assetType() == sent.assetType()) {
                problems.add(problem(
                        item + "symbol",
                        "must not be listed twice: " + before.symbol() + " and " + sent.symbol()
                                + " are spellings of one asset"));
            } else if (before != null) {
                problems.add(problem(item + "assetType", inTwoSleeves(position.symbol(), before.assetType())));
            }
            elsewhere(position, holdings.id(), known)
                    .ifPresent(
                            type -> problems.add(problem(item + "assetType", inTwoSleeves(position.symbol(), type))));
            spelled.add(position);
        }
        return problems.isEmpty()
                ? Reading.of(new CustodianHoldings(
                        holdings.id(),
                        holdings.name(),
                        holdings.kind(),
                        holdings.syncedAt(),
                        holdings.revision(),
                        holdings.cash(),
                        spelled,
                        holdings.openOrders().stream()
                                .map(order -> order.of(resolver.canonical(order.symbol())))
                                .toList()))
                : Reading.wrong(problems);
    }

    /** The end of the message about an asset in the wrong sleeve. */
    public static String inTwoSleeves(AssetSymbol symbol, AssetType type) {
        return "must be " + type.wireName() + ": " + symbol + " is held as " + type.wireName();
    }

    /** The other sleeve if another custodian holds the asset in it. */
    private static Optional<AssetType> elsewhere(Position position, String custodian, @Nullable Portfolio known) {
        AssetType other = position.assetType() == AssetType.CRYPTO ? AssetType.TRADFI : AssetType.CRYPTO;
        boolean isHeld = known != null
                && known.custodians().stream()
                        .filter(holdings -> !holdings.id().equals(custodian))
                        .anyMatch(holdings ->
                                holdings.position(position.symbol(), other).isPresent());
        return isHeld ? Optional.of(other) : Optional.empty();
    }

    private static Problem problem(String field, String what) {
        return new Problem(field, field + " " + what + ".");
    }
}
