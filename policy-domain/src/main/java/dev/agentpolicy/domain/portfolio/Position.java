package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Exact;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;

/**
 * An amount of one asset at one custodian.
 *
 * @param symbol the asset
 * @param assetType its sleeve
 * @param quantity units held, above 0, at most 18 decimals
 * @param price of one unit, from 0
 */
public record Position(AssetSymbol symbol, AssetType assetType, BigDecimal quantity, Usd price) {

    public Position {
        quantity = Exact.normalised(quantity);
    }

    /** This position under another symbol of its asset. */
    Position of(AssetSymbol spelling) {
        return spelling.equals(symbol) ? this : new Position(spelling, assetType, quantity, price);
    }

    public Usd marketValue() {
        return new Usd(quantity.multiply(price.value()));
    }

    boolean isOf(AssetSymbol otherSymbol, AssetType otherType) {
        return symbol.equals(otherSymbol) && assetType == otherType;
    }
}
