package dev.agentpolicy.adapter.custodian;

/**
 * An asset that Alpaca knows.
 *
 * @param instrument how the service names it
 * @param brokerSymbol how Alpaca names it, {@code BTC/USD}
 * @param name for people
 * @param isTradable whether orders are accepted at all
 * @param isFractionable whether orders by amount are accepted
 */
public record AlpacaAsset(
        Instrument instrument, String brokerSymbol, String name, boolean isTradable, boolean isFractionable) {}
