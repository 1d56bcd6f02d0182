package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.ASSETS_HAVE_ONE_IDENTITY;

import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.Map;

/** Checks the symbols and sleeves of requests, orders and holdings against the true ones. */
final class AssetInvariants {
    /** An asset that is not in the directory: only the holdings determine that it is crypto. */
    static final String GROVE = "GROVE";

    private static final Map<String, AssetType> ASSETS =
            Map.of("BTC", AssetType.CRYPTO, "ETH", AssetType.CRYPTO, GROVE, AssetType.CRYPTO, "SPY", AssetType.TRADFI);

    private final FirstViolation firstViolation;

    AssetInvariants(FirstViolation firstViolation) {
        this.firstViolation = firstViolation;
    }

    void committed(ObservedCommit commit) {
        for (ServiceRequest request : commit.outcome().requests()) {
            is(request.proposal().trade().asset(), request.proposal().trade().assetType(), request);
        }
        Portfolio portfolio = commit.outcome().portfolio();
        if (portfolio != null) {
            portfolio.custodians().forEach(holdings -> holdings.positions().forEach(this::held));
        }
    }

    void placed(Order order) {
        is(order.symbol(), order.assetType(), order);
    }

    private void held(Position position) {
        is(position.symbol(), position.assetType(), position);
    }

    private void is(AssetSymbol symbol, AssetType type, Object about) {
        firstViolation.require(
                ASSETS.get(symbol.value()) == type, ASSETS_HAVE_ONE_IDENTITY, "taken for another", about);
    }
}
