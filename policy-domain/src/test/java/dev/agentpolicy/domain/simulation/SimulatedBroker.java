package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;

/**
 * A broker at which users have accounts. Its prices move and its market closes. It may be away for long, but loses
 * nothing.
 */
final class SimulatedBroker {
    static final String ID = "broker";
    private static final int ACROSS = 200;

    private final Simulation simulation;
    private final Map<UserId, SimulatedBrokerAccount> accounts = new HashMap<>();
    private final Map<AssetSymbol, Usd> prices = new HashMap<>();
    private boolean isOpen = true;
    private boolean isAway;

    SimulatedBroker(Simulation simulation) {
        this.simulation = simulation;
        prices.put(new AssetSymbol("BTC"), Usd.of(30_000));
        prices.put(new AssetSymbol("ETH"), Usd.of(2_000));
        prices.put(new AssetSymbol(AssetInvariants.GROVE), Usd.of(1));
        prices.put(new AssetSymbol("SPY"), Usd.of(550));
    }

    SimulatedBrokerAccount account(UserId user) {
        return accounts.computeIfAbsent(user, it -> new SimulatedBrokerAccount(simulation, this, it));
    }

    Usd price(AssetSymbol symbol) {
        return prices.get(symbol);
    }

    /** Whether shares are traded; crypto always is. */
    boolean isOpen() {
        return isOpen;
    }

    boolean isAway() {
        return isAway;
    }

    /** Moves prices, opens or closes the market, goes away or comes back, and fills orders. */
    void goOn() {
        isOpen = simulation.random.nextInt(isOpen ? 20 : 4) > 0 == isOpen;
        isAway = simulation.random.nextInt(isAway ? 6 : 60) > 0 == isAway;
        if (simulation.random.nextInt(4) == 0) {
            prices.replaceAll((symbol, price) -> moved(price));
        }
        accounts.values().forEach(SimulatedBrokerAccount::goOn);
    }

    /** Comes back and opens the market. */
    void calm() {
        isOpen = true;
        isAway = false;
    }

    private Usd moved(Usd price) {
        BigDecimal factor = BigDecimal.valueOf(10_000 + simulation.random.nextInt(2 * ACROSS + 1) - ACROSS, 4);
        return new Usd(price.value().multiply(factor).setScale(4, RoundingMode.HALF_UP));
    }
}
