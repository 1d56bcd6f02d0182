package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.Hours;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.TradePayload;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.time.zone.ZoneRulesProvider;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the standing rules of an IPS document. */
final class StandingRules {
    private static final int MAX_ID = 64;
    private static final int MAX_REASON = 300;
    private static final int MAX_SYMBOLS = 100;
    private static final int DAY_LETTERS = 3;
    /** Zones with this prefix were accepted once, so signed statements may have them. */
    private static final String JAVA_ONLY_PREFIX = "SystemV/";

    private StandingRules() {}

    static List<StandingRule> read(Fields fields) {
        Set<String> ids = new HashSet<>();
        return fields.objects("standingRules", IpsDocument.MAX_STANDING_RULES, rule -> rule(rule, ids));
    }

    /** A day of the week in an IPS document, such as {@code MON}. */
    static String wireName(DayOfWeek day) {
        return day.name().substring(0, DAY_LETTERS);
    }

    private static @Nullable StandingRule rule(Fields fields, Set<String> ids) {
        String id = fields.plainText("id", 1, MAX_ID);
        Effect effect = fields.word("effect", Effect.values(), Effect::wireName);
        String reason = fields.plainText("reason", 0, MAX_REASON);
        When when = fields.object("when", StandingRules::when);
        fields.require("id", "effect");
        if (id != null && !ids.add(id)) {
            fields.problem("id", "must be unique among the standing rules");
        }
        return id == null || effect == null
                ? null
                : new StandingRule(id, effect, reason, when == null ? When.ALWAYS : when);
    }

    private static When when(Fields fields) {
        BigDecimal above = fields.decimal(
                "amountUsdAbove", BigDecimal.ZERO, TradePayload.MAX_AMOUNT_USD, TradePayload.MAX_AMOUNT_DECIMALS);
        return new When(
                words(fields, "actions", Action.values(), Action::wireName),
                words(fields, "assetTypes", AssetType.values(), AssetType::wireName),
                fields.has("symbols")
                        ? Set.copyOf(fields.texts("symbols", MAX_SYMBOLS, AssetSymbol.EXPECTED, AssetSymbol::of))
                        : null,
                above == null ? null : new Usd(above),
                fields.object("hours", StandingRules::hours),
                words(fields, "daysOfWeek", DayOfWeek.values(), StandingRules::wireName));
    }

    private static <E extends Enum<E>> @Nullable Set<E> words(
            Fields fields, String name, E[] words, java.util.function.Function<E, String> wireName) {
        return fields.has(name) ? Set.copyOf(fields.words(name, words.length, words, wireName)) : null;
    }

    private static @Nullable Hours hours(Fields fields) {
        Integer start = fields.integer("start", 0, Hours.LAST_START);
        Integer end = fields.integer("end", 0, Hours.LAST_END);
        ZoneId zone = fields.meaning(
                "tz", "must be an IANA time zone such as America/New_York", text -> zone(text, fields.isSigned()));
        fields.require("start", "end", "tz");
        if (start != null && start.equals(end)) {
            fields.problem("end", "must differ from start");
            return null;
        }
        return start == null || end == null || zone == null ? null : new Hours(start, end, zone);
    }

    /**
     * A name of the IANA database, links included. Fixed offsets are refused, because they ignore daylight saving time.
     */
    private static @Nullable ZoneId zone(String text, boolean isSigned) {
        boolean isName = ZoneRulesProvider.getAvailableZoneIds().contains(text);
        return isName && (isSigned || !text.startsWith(JAVA_ONLY_PREFIX)) ? ZoneId.of(text) : null;
    }
}
