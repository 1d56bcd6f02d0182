package dev.agentpolicy.domain.sample;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Collectors;

/** IPSs, portfolios, keys and trades for tests, each written as a short text. */
public final class SampleValues {
    /** A Saturday, noon in UTC, seven in the morning in New York. */
    public static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    /** The bands and limits of the example in docs/reference/ips.md, without any standing rules or authority limits. */
    public static final String PLAIN_IPS = """
            { "crypto": { "min": 0.10, "target": 0.20, "max": 0.35 },
              "tradfi": { "min": 0.55, "target": 0.65, "max": 0.80 },
              "cashFloor": 0.05, "maxDrawdown": 0.25, "maxSlippage": 0.01 }""";

    /** The example in docs/reference/ips.md. */
    public static final String WHOLE_IPS = """
            { "crypto": { "min": 0.10, "target": 0.20, "max": 0.35 },
              "tradfi": { "min": 0.55, "target": 0.65, "max": 0.80 },
              "cashFloor": 0.05, "maxDrawdown": 0.25, "maxSlippage": 0.01,
              "allowedActions": ["buy", "sell"],
              "assetAuthority": { "default": "full", "assets": { "BTC": "protect", "DOGE": "monitor" } },
              "standingRules": [
                { "id": "no-memecoins", "effect": "block", "reason": "Not in this household",
                  "when": { "actions": ["buy"], "assetTypes": ["crypto"], "symbols": ["DOGE", "SHIB"],
                            "amountUsdAbove": 1000,
                            "hours": { "start": 22, "end": 6, "tz": "America/New_York" },
                            "daysOfWeek": ["SAT", "SUN"] } } ],
              "tier": 2 }""";

    private SampleValues() {}

    /** The plain IPS with some of its members replaced. */
    public static Ips ips(String changes) {
        return readIps(changes).orElseThrow();
    }

    public static Reading<Ips> readIps(String changes) {
        return IpsDocument.read(JsonSamples.merged(JsonSamples.object(PLAIN_IPS), JsonSamples.object(changes)));
    }

    public static Ips plainIps() {
        return ips("{}");
    }

    /**
     * A portfolio written as {@code 30000/55000/15000} or {@code 30000/55000/15000 peak 110000}: crypto, tradfi and
     * cash.
     */
    public static Snapshot portfolio(String text) {
        String[] parts = text.split(" ");
        String[] values = parts[0].split("/");
        Usd total = Usd.of(values[0]).plus(Usd.of(values[1])).plus(Usd.of(values[2]));
        Usd peak = parts.length > 2 && parts[1].equals("peak") ? Usd.of(parts[2]) : total;
        return Snapshot.ofCrypto(Usd.of(values[0]))
                .tradfi(Usd.of(values[1]))
                .cash(Usd.of(values[2]))
                .peak(peak)
                .asOf(NOON);
    }

    /** The value held of the asset, written as {@code ... holds 500}; null when it is missing. */
    public static Usd held(String text) {
        int at = text.indexOf("holds ");
        return at < 0 ? null : Usd.of(text.substring(at + "holds ".length()));
    }

    /** A trade written as {@code buy 5000 BTC crypto} or {@code sell 5000 SPY tradfi 0.5%}. */
    public static Trade trade(String text) {
        String[] words = text.split(" ");
        return new Trade(
                Action.valueOf(words[0].toUpperCase(Locale.ROOT)),
                new AssetSymbol(words[2]),
                AssetType.valueOf(words[3].toUpperCase(Locale.ROOT)),
                Usd.of(words[1]),
                words.length < 5 ? null : Percent.of(words[4].replace("%", "")));
    }

    /** The same trade as an agent sends it, with its symbol not yet resolved. */
    public static SentTrade sent(String text) {
        return new SentTrade(trade(text), text.split(" ")[2]);
    }

    /** The caps of a key as a user sends them. */
    public static KeyPolicy policy(String json) {
        return policy(JsonSamples.object(json));
    }

    public static KeyPolicy policy(Document document) {
        Fields fields = new Fields(document, Decimals.NUMBERS);
        KeyPolicy policy = KeyPolicy.SCHEMA.read(fields);
        return fields.finish(() -> policy).orElseThrow();
    }

    /** Cap usage written as {@code {"calls":1,"usd":2,"aum":3}}; missing members are 0. */
    public static CapUsage used(Document document) {
        return new CapUsage(
                number(document, "calls").longValueExact(),
                new Usd(number(document, "usd")),
                new Usd(number(document, "aum")));
    }

    /** An evaluation context with the IPS in force as version 7. */
    public static EvaluationContext circumstances(Trade trade, Ips ips, Snapshot snapshot) {
        return new EvaluationContext(
                trade, null, version(ips), snapshot, null, KeyPolicy.NO_CAPS, CapUsage.NOTHING, NOON);
    }

    public static IpsVersion version(Ips ips) {
        return ips == null ? null : new IpsVersion(7, ips, NOON);
    }

    /** The violations as {@code rule limit actual}, joined by commas; {@code -} for none. */
    public static String violations(Decision decision) {
        return decision.isAllowed()
                ? "-"
                : decision.violations().stream()
                        .map(it -> it.rule().wireName() + shown(it.limit()) + shown(it.actual()))
                        .collect(Collectors.joining(", "));
    }

    private static String shown(BigDecimal number) {
        return number == null ? "" : " " + number.toPlainString();
    }

    private static BigDecimal number(Document document, String name) {
        return document.get(name) instanceof BigDecimal number ? number : BigDecimal.ZERO;
    }
}
