package dev.agentpolicy.adapter.custodian;

import java.math.BigDecimal;
import java.util.Optional;

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
    private static final String ACTIVE = "ACTIVE";
    private static final String DOLLAR = "USD";

    /** Why the service cannot use the account, as a sentence for the user; empty when it can. */
    Optional<String> problem() {
        if (!status.equals(ACTIVE)) {
            return Optional.of("The account at Alpaca is not active; its status is " + status + ".");
        }
        if (isBlocked) {
            return Optional.of("The account at Alpaca is blocked from trading.");
        }
        if (!currency.equals(DOLLAR)) {
            return Optional.of("The account at Alpaca is kept in " + currency + "; only USD is supported.");
        }
        return cash.signum() < 0
                ? Optional.of("The account at Alpaca owes cash; accounts that borrow are not supported.")
                : Optional.empty();
    }
}
