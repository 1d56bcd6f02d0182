package dev.agentpolicy.domain.ips;

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
 * A rule the user set once for every trade that fits it.
 *
 * @param id names the rule in messages; unique in its IPS
 * @param effect what it does to a trade that matches
 * @param reason the user's own words, null when none were given
 * @param when what a trade must be to match
 */
public record StandingRule(
        String id, Effect effect, @Nullable String reason, When when) {

    public boolean matches(Trade trade, Instant now) {
        return when.matches(trade, now);
    }

    /** What a standing rule does to a trade. */
    public enum Effect {
        BLOCK("block"),
        REQUIRE_APPROVAL("require_approval");

        private final String wireName;

        Effect(String wireName) {
            this.wireName = wireName;
        }

        /** The effect as an IPS document writes it. */
        public String wireName() {
            return wireName;
        }
    }

    /**
     * Conditions that must all hold; null means any.
     *
     * @param actions which ways
     * @param assetTypes which sleeves
     * @param symbols which assets
     * @param amountUsdAbove only trades of more than this
     * @param hours only in these hours of the day
     * @param daysOfWeek only on these days, in the zone of the hours, else in UTC
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

        /** Whether the rule is about this asset by name. */
        boolean names(AssetSymbol symbol) {
            return symbols != null && symbols.contains(symbol);
        }

        /** The one sleeve whose trades can match, null when those of both or none can. */
        @Nullable
        AssetType onlySleeve() {
            return assetTypes == null || assetTypes.size() != 1
                    ? null
                    : assetTypes.iterator().next();
        }

        boolean matches(Trade trade, Instant now) {
            return isAmong(actions, trade.action())
                    && isAmong(assetTypes, trade.assetType())
                    && isAmong(symbols, trade.asset())
                    && (amountUsdAbove == null || trade.amount().isAbove(amountUsdAbove))
                    && matches(now);
        }

        private boolean matches(Instant now) {
            if (hours == null && daysOfWeek == null) {
                return true;
            }
            ZonedDateTime local = now.atZone(hours == null ? ZoneOffset.UTC : hours.zone());
            return (hours == null || hours.contains(local.getHour())) && isAmong(daysOfWeek, local.getDayOfWeek());
        }

        private static <T> boolean isAmong(@Nullable Set<T> any, T one) {
            return any == null || any.contains(one);
        }

        private static <T> @Nullable Set<T> copy(@Nullable Set<T> set) {
            return set == null ? null : Set.copyOf(set);
        }
    }

    /**
     * Hours of the day, half-open: 22 to 6 is from ten in the evening until just before six.
     *
     * @param start first hour, 0 to 23
     * @param end first hour after, 0 to 24
     * @param zone whose clock
     */
    public record Hours(int start, int end, ZoneId zone) {
        public static final int LAST_START = 23;
        public static final int LAST_END = 24;

        /** @throws IllegalArgumentException for hours that do not exist, or that start where they end */
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
