package dev.agentpolicy.adapter.custodian;

import java.util.List;

/**
 * Fills behind a cursor.
 *
 * @param fills the oldest first, none twice
 * @param next where to read on; the cursor that was asked with when there are no fills
 * @param isComplete whether these were all; otherwise read on at once
 */
public record FillBatch(List<AlpacaFill> fills, FillCursor next, boolean isComplete) {
    public FillBatch {
        fills = List.copyOf(fills);
    }
}
