package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The holdings of a user at one custodian.
 *
 * @param id given by the user: 1 to 64 of {@code A-Z a-z 0-9 . _ -}
 * @param name for people
 * @param kind the kind of custodian
 * @param syncedAt when the custodian last reported them
 * @param revision grows with every change of the books; the greatest one is current
 * @param cash in USD, from 0
 * @param positions one for each symbol and sleeve
 */
public record CustodianHoldings(
        String id,
        String name,
        CustodianKind kind,
        Instant syncedAt,
        long revision,
        Usd cash,
        List<Position> positions) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public CustodianHoldings {
        positions = Positions.copyOf(positions);
    }

    public static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    public Usd total() {
        return positions.stream().map(Position::marketValue).reduce(cash, Usd::plus);
    }

    /** The positions, for look-up by symbol. */
    Positions index() {
        return (Positions) positions;
    }

    public Optional<Position> position(AssetSymbol symbol, AssetType type) {
        return Optional.ofNullable(index().find(symbol, type));
    }

    /** The kind of a custodian. */
    public enum CustodianKind {
        /** Simulated: trades are filled without a market. */
        PAPER("paper");

        private final String wireName;

        CustodianKind(String wireName) {
            this.wireName = wireName;
        }

        /** The kind as the app API writes it. */
        public String wireName() {
            return wireName;
        }
    }
}
