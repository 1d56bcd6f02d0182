package dev.agentpolicy.adapter.custodian;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * A position of an account.
 *
 * @param instrument what is held
 * @param quantity in units; negative when it is short
 * @param available the part of the quantity that no open order holds
 * @param price of one unit in dollars, of an option that of the contract; empty when the broker has none
 * @param marketValue in dollars, of the sign of the quantity; empty when the broker has no price
 */
public record AlpacaPosition(
        Instrument instrument,
        BigDecimal quantity,
        BigDecimal available,
        Optional<BigDecimal> price,
        Optional<BigDecimal> marketValue) {

    /** Whether the account owes the asset. */
    public boolean isShort() {
        return quantity.signum() < 0;
    }
}
