package dev.agentpolicy.adapter.custodian;

import java.time.Instant;
import java.util.List;

/**
 * An account as it stood at one point in time.
 *
 * @param began when the reading began, by the local clock
 * @param account with its cash
 * @param positions at the broker's prices
 * @param activity orders and fills
 * @param latestTime fills that are dated later are left out
 */
record AccountPicture(
        Instant began,
        AlpacaAccount account,
        List<AlpacaPosition> positions,
        AccountActivity activity,
        Instant latestTime) {
    AccountPicture {
        positions = List.copyOf(positions);
    }
}
