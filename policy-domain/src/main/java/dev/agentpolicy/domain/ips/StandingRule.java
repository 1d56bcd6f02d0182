package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the user's own for every trade that matches it.
 *
 * @param id shown in messages; unique in its IPS
 * @param effect what happens to a matching trade
 * @param reason the user's own words, null when none were given
 * @param when the conditions of a match
 */
public record StandingRule(
        String id, Effect effect, @Nullable String reason, When when) {

    public boolean matches(Trade trade, Instant now) {
        return when.matches(trade, now);
    }

    /** The effect of a standing rule on a matching trade. */
    public enum Effect implements Word {
        BLOCK,
        REQUIRE_APPROVAL
    }

    /**
     * Conditions of which all must hold; a null condition always holds.
     *
     * @param actions only these actions
     * @param assetTypes only these sleeves
     * @param symbols only these assets
     * @param amountUsdAbove only trades of more than this
     * @param hours only in these hours of the day
     * @param daysOfWeek only on these days, in the time zone of the hours or else in UTC
     */
    public record When(
            @Nullable Set<Action> actions,
            @Nullable Set<AssetType> assetTypes,
            @Nullable Set<AssetSymbol> symbols,
            @Nullable Usd amountUsdAbove,
            @Nullable Hours hours,
            @Nullable Set<DayOfWeek> daysOfWeek) {
        public static final When ALWAYS = new When(null, null, null, null, null, null);

        public When {
            actions = copy(actions);
            assetTypes = copy(assetTypes);
            symbols = copy(symbols);
            daysOfWeek = copy(daysOfWeek);
        }

        /** The same conditions with other symbols. */
        When of(Set<AssetSymbol> other) {
            return new When(actions, assetTypes, other, amountUsdAbove, hours, daysOfWeek);
        }

        /** Whether the rule names this asset. */
        boolean names(AssetSymbol symbol) {
            return symbols != null && symbols.contains(symbol);
        }

        /** The only sleeve whose trades can match; null when both or none can. */
        @Nullable
        AssetType onlySleeve() {
            return assetTypes == null || assetTypes.size() != 1
                    ? null
                    : assetTypes.iterator().next();
        }

        /** Whether the action, the asset and its sleeve are among those of the conditions. */
        public boolean covers(Action action, AssetSymbol symbol, AssetType sleeve) {
            return isAmong(actions, action) && isAmong(assetTypes, sleeve) && isAmong(symbols, symbol);
        }

        boolean matches(Trade trade, Instant now) {
            return covers(trade.action(), trade.asset(), trade.assetType())
                    && (amountUsdAbove == null || trade.amount().isAbove(amountUsdAbove))
                    && matches(now);
        }

        private boolean matches(Instant now) {
            if (!isTimed()) {
                return true;
            }
            ZonedDateTime local = now.atZone(zone());
            return isAt(local.getDayOfWeek(), local.getHour());
        }

        /** Whether the conditions are about the time. */
        public boolean isTimed() {
            return hours != null || daysOfWeek != null;
        }

        /** The time zone of the hours, or else UTC. */
        public ZoneId zone() {
            return hours == null ? ZoneOffset.UTC : hours.zone();
        }

        /** Whether a day and an hour in the time zone are among those of the conditions. */
        public boolean isAt(DayOfWeek day, int hour) {
            return (hours == null || hours.contains(hour)) && isAmong(daysOfWeek, day);
        }

        private static <T> boolean isAmong(@Nullable Set<T> any, T one) {
            return any == null || any.contains(one);
        }

        private static <T> @Nullable Set<T> copy(@Nullable Set<T> set) {
            return set == null ? null : Set.copyOf(set);
        }
    }

    /**
     * Hours of the day, half-open: 22 to 6 begins at 22:00 and ends just before 6:00.
     *
     * @param start first hour, 0 to 23
     * @param end the hour after the last one, 0 to 24
     * @param zone the time zone
     */
    public record Hours(int start, int end, ZoneId zone) {
        public static final int LAST_START = 23;
        public static final int LAST_END = 24;

        /** @throws IllegalArgumentException when an hour does not exist or start and end are equal */
        public Hours {
            if (start < 0 || start > LAST_START || end < 0 || end > LAST_END || start == end) {
                throw new IllegalArgumentException("Hours run from 0..23 to another of 0..24.");
            }
        }

        boolean contains(int hour) {
            return start < end ? hour >= start && hour < end : hour >= start || hour < end;
        }
    }
}
