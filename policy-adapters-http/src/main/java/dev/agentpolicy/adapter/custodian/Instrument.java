package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;

/**
 * What is traded or held, as the service names it.
 *
 * @param symbol canonical: {@code BTC}, not {@code BTC/USD}
 * @param type its sleeve; options are {@code TRADFI}
 */
public record Instrument(AssetSymbol symbol, AssetType type) {}
