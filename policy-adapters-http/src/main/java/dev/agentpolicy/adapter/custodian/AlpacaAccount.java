package dev.agentpolicy.adapter.custodian;

import java.math.BigDecimal;

/**
 * An account at Alpaca.
 *
 * @param id a UUID
 * @param status {@code ACTIVE} when it can trade
 * @param currency of cash and equity, {@code USD} for most
 * @param cash settled and unsettled, without what may be borrowed; not reduced by open orders; negative when borrowed
 * @param equity cash and all positions at their prices
 * @param isBlocked whether it may not trade, whatever its status
 */
public record AlpacaAccount(
        String id, String status, String currency, BigDecimal cash, BigDecimal equity, boolean isBlocked) {

    /** Whether orders are accepted. */
    public boolean canTrade() {
        return status.equals("ACTIVE") && !isBlocked;
    }

    /** Whether cash is borrowed. */
    public boolean isCashNegative() {
        return cash.signum() < 0;
    }
}
