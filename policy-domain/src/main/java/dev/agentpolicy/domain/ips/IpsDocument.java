package dev.agentpolicy.domain.ips;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;
import static dev.agentpolicy.domain.document.Schema.unlessEmpty;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Schema.Row;
import dev.agentpolicy.domain.document.TimeZones;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.Hours;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.AbstractMap.SimpleEntry;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads and writes IPS documents (docs/reference/ips.md), as users send them and as the log holds them. */
public final class IpsDocument {
    public static final int MAX_ASSETS = 500;
    public static final int MAX_STANDING_RULES = 50;
    static final int MAX_ID = 64;
    static final int MAX_REASON = 300;
    static final int MAX_SYMBOLS = 100;
    private static final int MAX_TIER = 5;
    private static final int DAY_LETTERS = 3;
    private static final String UNIQUE = "must be unique among the standing rules and limits";
    static final String SAME_FORM = "has the scope, windowMinutes and per of a limit before it";

    static final Codec<Fraction> FRACTION = Codec.decimal(BigDecimal.ZERO, BigDecimal.ONE, Fraction.REPORTED_PLACES)
            .as(Fraction::new, Fraction::value);

    private static final Schema<AllocationBand> BAND = Schema.of(
                    row -> new AllocationBand(row.next(), row.next(), row.next()),
                    required("min", FRACTION, AllocationBand::min),
                    required("target", FRACTION, AllocationBand::target),
                    required("max", FRACTION, AllocationBand::max))
            .checked(IpsDocument::requireOrder);

    private static final Schema<AssetAuthority> AUTHORITY = Schema.of(
            row -> new AssetAuthority(row.nextOr(Level.FULL), row.<SortedMap<AssetSymbol, Level>>next()),
            optional("default", Codec.word(Level.class), AssetAuthority::standard),
            optional("assets", new Codec<>(IpsDocument::levels, IpsDocument::signed), AssetAuthority::assets));

    private static final Schema<Hours> HOURS = Schema.of(
                    row -> new Hours(row.next(), row.next(), row.next()),
                    required("start", Codec.integer(0, Hours.LAST_START), Hours::start),
                    required("end", Codec.integer(0, Hours.LAST_END), Hours::end),
                    required("tz", new Codec<>(IpsDocument::zone, ZoneId::getId), Hours::zone))
            .checked(IpsDocument::requireLength);

    private static final Schema<When> WHEN = Schema.of(
            row -> {
                Usd above = row.next();
                return new When(row.next(), row.next(), row.next(), above, row.next(), row.next());
            },
            optional("amountUsdAbove", TradePayload.AMOUNT, When::amountUsdAbove),
            optional("actions", Codec.words(Action.class), When::actions),
            optional("assetTypes", Codec.words(AssetType.class), When::assetTypes),
            optional("symbols", AssetSymbol.set(MAX_SYMBOLS), When::symbols),
            optional("hours", Codec.object(HOURS), When::hours),
            optional("daysOfWeek", Codec.words(DayOfWeek.values(), IpsDocument::wireName), When::daysOfWeek));

    private static final Schema<StandingRule> RULE = Schema.of(
            row -> new StandingRule(row.next(), row.next(), row.next(), row.nextOr(When.ALWAYS)),
            required("id", Codec.plainText(1, MAX_ID), StandingRule::id),
            required("effect", Codec.word(Effect.class), StandingRule::effect),
            nullable("reason", Codec.plainText(0, MAX_REASON), StandingRule::reason),
            optional("when", Codec.object(WHEN), StandingRule::when));

    /** What stands for its default is left out of signed statements, as in those from before the member existed. */
    private static final Schema<Ips> SCHEMA = Schema.of(
                    row -> new Ips(
                            row.next(),
                            row.next(),
                            row.next(),
                            row.next(),
                            row.next(),
                            row.nextOr(EnumSet.allOf(Action.class)),
                            row.nextOr(AssetAuthority.FULL),
                            row.next(),
                            row.next(),
                            row.nextOr(UnknownAssets.AS_SAID),
                            row.nextOr(List.of()),
                            row.nextOr(false),
                            row.next(),
                            row.next()),
                    required("crypto", Codec.object(BAND), Ips::crypto),
                    required("tradfi", Codec.object(BAND), Ips::tradfi),
                    required("cashFloor", FRACTION, Ips::cashFloor),
                    required("maxDrawdown", FRACTION, Ips::maxDrawdown),
                    required("maxSlippage", FRACTION, Ips::maxSlippage),
                    optional("allowedActions", Codec.words(Action.class), Ips::allowedActions),
                    optional("assetAuthority", Codec.object(AUTHORITY), Ips::assetAuthority),
                    optional(
                            "standingRules",
                            new Codec<>(
                                    IpsDocument::rules,
                                    rules -> rules.stream().map(RULE::write).toList()),
                            Ips::standingRules),
                    optional(
                            "limits",
                            new Codec<>(
                                    IpsDocument::limits,
                                    limits -> limits.stream().map(Limit::write).toList()),
                            ips -> ips.limits().isEmpty() ? null : ips.limits()),
                    optional(
                            "unknownAssets",
                            Codec.word(UnknownAssets.class),
                            ips -> ips.unknownAssets() == UnknownAssets.AS_SAID ? null : ips.unknownAssets()),
                    unlessEmpty("approvals", Codec.list(Approval.MAX, Approval.SCHEMA), Ips::approvals),
                    optional("paused", Codec.TRUTH, ips -> ips.isPaused() ? true : null),
                    optional("drawdownSince", Codec.INSTANT, Ips::drawdownSince),
                    nullable("tier", Codec.integer(1, MAX_TIER), Ips::tier))
            .checked(row -> {
                requireRoom(row);
                requireOneId(row);
            });

    /** A statement within a stored document. */
    public static final Codec<Ips> STORED =
            Codec.object(signed -> readSigned(signed).orElseThrow(), IpsDocument::toSigned);

    private IpsDocument() {}

    /** Reads a statement that a user sent. */
    public static Reading<Ips> read(Document sent) {
        return SCHEMA.read(sent, Decimals.NUMBERS);
    }

    /** Reads the statement of a signed payload, with decimals as text and asset levels as a sorted array. */
    public static Reading<Ips> readSigned(Document signed) {
        return SCHEMA.read(signed, Decimals.TEXT);
    }

    /** The members of a statement in the log; equal statements have equal members. */
    public static Map<String, @Nullable Object> toSigned(Ips ips) {
        return SCHEMA.write(ips);
    }

    private static void requireOrder(Row row) {
        Fraction min = row.next();
        Fraction target = row.next();
        Fraction max = row.next();
        if (min == null || target == null || max == null) {
            return;
        }
        if (min.isAbove(target)) {
            row.problem("min", "must not be above target");
        } else if (target.isAbove(max)) {
            row.problem("target", "must not be above max");
        }
    }

    private static void requireLength(Row row) {
        Integer start = row.next();
        Integer end = row.next();
        if (start != null && start.equals(end)) {
            row.problem("end", "must differ from start");
        }
    }

    private static void requireRoom(Row row) {
        AllocationBand crypto = row.next();
        AllocationBand tradfi = row.next();
        Fraction cashFloor = row.next();
        if (crypto != null
                && tradfi != null
                && cashFloor != null
                && crypto.min().plus(tradfi.min()).plus(cashFloor).isAbove(Fraction.ONE)) {
            row.problem("cashFloor", "plus crypto.min plus tradfi.min must be at most 1");
        }
    }

    /** A limit must not have the id of a standing rule. */
    private static void requireOneId(Row row) {
        for (int before = 0; before < 4; before++) {
            row.next();
        }
        List<StandingRule> rules = row.next();
        List<Limit> limits = row.next();
        for (int i = 0; i < limits.size(); i++) {
            String id = limits.get(i).id();
            if (rules.stream().anyMatch(rule -> rule.id().equals(id))) {
                row.problem("limits[" + i + "].id", UNIQUE);
            }
        }
    }

    private static List<Limit> limits(Fields fields, String name) {
        List<Limit> limits = unique(fields, name, Limit.MAX, Limit::read);
        int repeated = Limit.repeatedForm(limits);
        if (repeated >= 0) {
            fields.problem(name + "[" + repeated + "]", SAME_FORM);
        }
        return limits;
    }

    private static List<StandingRule> rules(Fields fields, String name) {
        return unique(fields, name, MAX_STANDING_RULES, RULE::read);
    }

    /** Reads objects of which no two have one id. */
    private static <T> List<T> unique(Fields fields, String name, int max, Function<Fields, @Nullable T> reader) {
        Set<String> ids = new HashSet<>();
        return fields.objects(name, max, item -> {
            T read = reader.apply(item);
            String id = item.plainText("id", 1, MAX_ID);
            if (id != null && !ids.add(id)) {
                item.problem("id", UNIQUE);
            }
            return read;
        });
    }

    private static String wireName(DayOfWeek day) {
        return day.name().substring(0, DAY_LETTERS);
    }

    /**
     * A name of the IANA database, links included. Fixed offsets are refused, because they ignore daylight saving time.
     */
    private static @Nullable ZoneId zone(Fields fields, String name) {
        return fields.meaning(
                name,
                "must be an IANA time zone such as America/New_York",
                text -> fields.isSigned() ? TimeZones.signed(text) : TimeZones.named(text));
    }

    /** Users send the levels as an object, the log has them as an array. */
    private static SortedMap<AssetSymbol, Level> levels(Fields fields, String name) {
        List<Entry<AssetSymbol, Level>> entries = fields.isSigned()
                ? fields.objects(name, MAX_ASSETS, IpsDocument::signedLevel)
                : fields.entries(name, MAX_ASSETS, IpsDocument::sentLevel);
        SortedMap<AssetSymbol, Level> byAsset = new TreeMap<>();
        for (Entry<AssetSymbol, Level> entry : entries) {
            if (byAsset.put(entry.getKey(), entry.getValue()) != null) {
                fields.problem(name, "lists " + entry.getKey() + " twice; symbols are compared in upper case");
            }
        }
        return byAsset;
    }

    private static @Nullable Entry<AssetSymbol, Level> sentLevel(String name, Fields members) {
        Level level = members.word(name, Level.class);
        members.require(name);
        AssetSymbol asset = AssetSymbol.of(name);
        if (asset == null) {
            members.problem(name, AssetSymbol.EXPECTED);
        }
        return asset == null || level == null ? null : new SimpleEntry<>(asset, level);
    }

    private static @Nullable Entry<AssetSymbol, Level> signedLevel(Fields item) {
        AssetSymbol asset = item.meaning("symbol", AssetSymbol.EXPECTED, AssetSymbol::of);
        Level level = item.word("level", Level.class);
        item.require("symbol", "level");
        return asset == null || level == null ? null : new SimpleEntry<>(asset, level);
    }

    private static List<Map<String, String>> signed(SortedMap<AssetSymbol, Level> levels) {
        return levels.entrySet().stream()
                .map(entry -> Map.of(
                        "symbol",
                        entry.getKey().value(),
                        "level",
                        entry.getValue().wireName()))
                .toList();
    }
}
