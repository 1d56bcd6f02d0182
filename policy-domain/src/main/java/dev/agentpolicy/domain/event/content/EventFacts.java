package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.decision.DecisionDocument;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.DecisionRecord.Actor;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the payload of an event of any kind says, as far as events are searched and filtered by it. A fact that its kind
 * does not have is null; an event whose payload was erased has none.
 */
public final class EventFacts {
    private final ScannedRow row;
    private final @Nullable Stored payload;
    /** The object that has action, symbol and amount; null when there is none. */
    private final @Nullable Stored trade;

    private EventFacts(ScannedRow row, @Nullable Stored payload) {
        this.row = row;
        this.payload = payload;
        this.trade = payload == null ? null : trade(row.kind(), payload);
    }

    /**
     * Reads a row.
     *
     * @throws IllegalStateException when this service did not write the payload
     */
    public static EventFacts of(ScannedRow row) {
        String text = row.payload();
        return new EventFacts(
                row, text == null ? null : new Stored(Document.parse(text).orElseThrow()));
    }

    private static @Nullable Stored trade(EventKind kind, Stored payload) {
        return kind == EventKind.TRADE_OBSERVED
                ? payload
                : kind == EventKind.GUARDRAIL_DECISION && payload.has("trade") ? payload.object("trade") : null;
    }

    /** The row. */
    public ScannedRow row() {
        return row;
    }

    public boolean isErased() {
        return payload == null;
    }

    public boolean isDecision() {
        return payload != null && row.kind() == EventKind.GUARDRAIL_DECISION;
    }

    /** The call that led to a decision. */
    public @Nullable Kind call() {
        return isDecision() ? payload().word("kind", Kind.class) : null;
    }

    /** Who asked for a decision. */
    public @Nullable Actor actor() {
        return isDecision() ? payload().word("actor", Actor.class) : null;
    }

    /** The key that an event is about. */
    public @Nullable AgentKeyId agentKeyId() {
        return payload != null && payload.has("agentKeyId")
                ? new AgentKeyId(UUID.fromString(payload.text("agentKeyId")))
                : null;
    }

    public @Nullable String symbol() {
        return trade == null ? null : trade.text(row.kind() == EventKind.TRADE_OBSERVED ? "symbol" : "assetSymbol");
    }

    public @Nullable AssetType assetType() {
        return trade == null ? null : trade.word("assetType", AssetType.class);
    }

    public @Nullable Action action() {
        return trade == null ? null : trade.word("action", Action.class);
    }

    public @Nullable Usd amount() {
        return trade == null ? null : new Usd(trade.decimal("amountUsd"));
    }

    /** The trade that was asked about; null for what could not be read. */
    public @Nullable Trade asked() {
        Action action = action();
        String symbol = symbol();
        AssetType type = assetType();
        Usd amount = amount();
        return action == null || symbol == null || type == null || amount == null
                ? null
                : new Trade(action, new AssetSymbol(symbol), type, amount, null);
    }

    /** The verdict of a decision; false too for a request that the user rejected. */
    public @Nullable Boolean allowed() {
        return isDecision() ? Boolean.valueOf(payload().truth("allowed")) : null;
    }

    /** The broken rules of a decision. */
    public List<Violation> violations() {
        return isDecision() ? DecisionDocument.violations(payload()) : List.of();
    }

    /** The rules that an event is about: those that a trade broke, or that of a drift. */
    public Stream<Rule> rules() {
        return isDrift()
                ? Stream.of(payload().word("rule", Rule.class))
                : violations().stream().map(Violation::rule).distinct();
    }

    /** The limit of a drift, or of the first violation that has one. */
    public @Nullable BigDecimal limit() {
        return isDrift()
                ? payload().decimal("limit")
                : numbers().map(Violation::limit).orElse(null);
    }

    /** What the {@link #limit} was held against. */
    public @Nullable BigDecimal actual() {
        return isDrift()
                ? payload().decimal("actual")
                : numbers().map(Violation::actual).orElse(null);
    }

    private Optional<Violation> numbers() {
        return violations().stream()
                .filter(violation -> violation.limit() != null)
                .findFirst();
    }

    /** How much was traded. */
    public @Nullable BigDecimal quantity() {
        return ofTrade("quantity");
    }

    /** At what price was traded. */
    public @Nullable BigDecimal price() {
        return ofTrade("price");
    }

    /** The price bound of the order that was filled. */
    public @Nullable BigDecimal limitPrice() {
        return ofTrade("limitPrice");
    }

    private @Nullable BigDecimal ofTrade(String name) {
        return payload != null && row.kind() == EventKind.TRADE_OBSERVED ? payload.decimalOrNull(name) : null;
    }

    public @Nullable Long serviceRequestId() {
        return payload == null ? null : payload.longOrNull("serviceRequestId");
    }

    /** The version of the policy: the one in force for a decision and a drift, the new one for a change of it. */
    public @Nullable Integer ipsVersion() {
        return payload == null ? null : payload.integerOrNull("ipsVersion");
    }

    /** Whether the words of the event tell what it changed, and so need the one {@linkplain #follows before} it. */
    public boolean isChange() {
        return payload != null
                && (row.kind() == EventKind.IPS_AMENDED
                        || row.kind() == EventKind.KEY_ROTATED && EventWords.keepsSecret(payload));
    }

    /** Whether a change may follow an earlier row: both are of the policy, or of one key. */
    public boolean follows(ScannedRow earlier) {
        EventKind kind = earlier.kind();
        if (row.kind() == EventKind.IPS_AMENDED) {
            return kind == EventKind.IPS_AMENDED || kind == EventKind.IPS_CREATED;
        }
        String text = earlier.payload();
        return (kind == EventKind.KEY_ROTATED || kind == EventKind.KEY_MINTED)
                && text != null
                && text.contains("\"" + payload().text("agentKeyId") + "\"");
    }

    /**
     * The event in words, as one sentence.
     *
     * @param agentName the present name of a key
     * @param before the last event that a change follows; null when it is not known
     */
    public String text(Function<AgentKeyId, String> agentName, @Nullable EventFacts before) {
        return payload == null
                ? EventWords.erased(row.kind())
                : EventWords.of(this, payload, before == null ? null : before.payload, agentName);
    }

    private boolean isDrift() {
        return payload != null && (row.kind() == EventKind.DRIFT_DETECTED || row.kind() == EventKind.DRIFT_CLEARED);
    }

    private Stored payload() {
        if (payload == null) {
            throw new IllegalStateException("The payload was erased.");
        }
        return payload;
    }

    /** Says events in plain English, one sentence each, to the user whose events they are (docs/reference/activity.md). */
    private static final class EventWords {
        private static final int UNIT_DECIMALS = 8;
        private static final int CENTS = 2;

        private EventWords() {}

        static String of(
                EventFacts facts, Stored payload, @Nullable Stored before, Function<AgentKeyId, String> agentName) {
            return switch (facts.row().kind()) {
                case IPS_CREATED -> policy("You set the policy", payload);
                case IPS_AMENDED ->
                    policy(
                            payload.has("scheduledAt")
                                    ? "The policy that you scheduled came into force"
                                    : ChangeWords.ofPolicy(before, payload, agentName),
                            payload);
                case KEY_MINTED, KEY_ROTATED, KEY_REVOKED -> key(facts.row().kind(), payload, before);
                case GUARDRAIL_DECISION -> decision(facts, payload, agentName);
                case DRIFT_DETECTED, DRIFT_CLEARED -> drift(facts.row().kind(), payload);
                case TRADE_OBSERVED -> trade(facts, payload);
                case SIGNING_KEY_ROTATED -> "The service changed its signing key (" + payload.text("reason") + ").";
            };
        }

        /** All that can be said of an event whose payload was erased. */
        static String erased(EventKind kind) {
            return switch (kind) {
                case GUARDRAIL_DECISION -> "A decision; its content was erased.";
                case TRADE_OBSERVED -> "A trade; its content was erased.";
                case DRIFT_DETECTED, DRIFT_CLEARED -> "A drift; its content was erased.";
                case IPS_CREATED, IPS_AMENDED -> "A change of the policy; its content was erased.";
                case KEY_MINTED, KEY_ROTATED, KEY_REVOKED -> "A change of a key; its content was erased.";
                case SIGNING_KEY_ROTATED -> "A change of the signing key; its content was erased.";
            };
        }

        private static String policy(String did, Stored payload) {
            boolean isPaused = !did.equals(ChangeWords.PAUSED)
                    && Boolean.TRUE.equals(payload.object("document").document().get("paused"));
            return did + ", version " + payload.integer("ipsVersion")
                    + (payload.has(EventPayloads.CONFIRMATION) ? ", signed with a passkey" : "")
                    + (isPaused ? "; all agents are paused." : ".");
        }

        static boolean keepsSecret(Stored payload) {
            return Boolean.FALSE.equals(payload.document().get("secretChanged"));
        }

        private static String key(EventKind kind, Stored payload, @Nullable Stored before) {
            Document members = payload.document();
            boolean isPasskey = EventPayloads.isOfPasskey(members);
            if (payload.has("client")) {
                return connection(kind, payload, before);
            }
            if (EventPayloads.isOfViewer(members)) {
                return kind == EventKind.KEY_MINTED
                        ? "You let " + payload.text("name") + " look at your account."
                        : payload.text("name") + " may not look at your account any more.";
            }
            String what = (isPasskey ? "the passkey " : "the key ") + payload.text("name");
            return switch (kind) {
                case KEY_MINTED -> (isPasskey ? "You added " : "You minted ") + what + ".";
                case KEY_REVOKED -> (isPasskey ? "You removed " : "You revoked ") + what + ".";
                default ->
                    keepsSecret(payload)
                            ? ChangeWords.ofKey(what, before, payload)
                            : "You gave " + what + " a new secret.";
            };
        }

        private static String connection(EventKind kind, Stored payload, @Nullable Stored before) {
            String what =
                    payload.text("name") + " of " + payload.object("client").text("host");
            return switch (kind) {
                case KEY_MINTED -> "You connected " + what + ".";
                case KEY_REVOKED -> "The connection " + what + " was ended.";
                default ->
                    keepsSecret(payload)
                            ? ChangeWords.ofKey("the connection " + what, before, payload)
                            : "You connected " + what + " anew.";
            };
        }

        private static String decision(EventFacts facts, Stored payload, Function<AgentKeyId, String> agentName) {
            if (facts.actor() == Actor.USER) {
                return attestation(facts, payload);
            }
            String agent = agentName.apply(Objects.requireNonNull(facts.agentKeyId()));
            String asked = facts.symbol() == null
                    ? " sent a trade that could not be read"
                    : facts.call() == Kind.PROPOSE
                            ? " asked to " + trade(facts)
                            : " checked whether it may " + trade(facts);
            return agent + asked + ": " + verdict(facts) + ".";
        }

        private static String attestation(EventFacts facts, Stored payload) {
            Stored answer = payload.object("attestation");
            String reason = answer.textOrNull("reason");
            String trade = facts.symbol() == null ? "" : ", to " + trade(facts);
            String request = " request " + facts.serviceRequestId() + trade;
            if (answer.truth("accepted")) {
                String how = answer.has("passkey") ? ", signed with a passkey" : "";
                return "You accepted" + request + how
                        + (facts.violations().isEmpty() ? "." : ": " + verdict(facts) + ".");
            }
            return "You rejected" + request + (reason == null ? "." : ": " + sentence(reason));
        }

        private static String verdict(EventFacts facts) {
            List<Violation> violations = facts.violations();
            Long request = facts.serviceRequestId();
            return violations.isEmpty()
                    ? request == null ? "allowed" : "allowed, request " + request
                    : "blocked, "
                            + ChangeWords.joined(violations.stream()
                                    .map(EventWords::rule)
                                    .distinct()
                                    .toList());
        }

        private static String drift(EventKind kind, Stored payload) {
            Rule rule = payload.word("rule", Rule.class);
            String actual = new Fraction(payload.decimal("actual")).inPercent() + "%";
            String limit = new Fraction(payload.decimal("limit")).inPercent() + "%";
            return kind == EventKind.DRIFT_DETECTED
                    ? "Drift: " + rule(rule) + " of " + limit + " passed, now " + actual + "."
                    : "Drift over: " + rule(rule) + " of " + limit + " kept again, now " + actual + ".";
        }

        private static String trade(EventFacts facts, Stored payload) {
            String did = facts.action() == Action.BUY ? "bought " : "sold ";
            String what = did + Decimals.text(shown(payload.decimal("quantity"), UNIT_DECIMALS)) + " " + facts.symbol()
                    + " at "
                    + new Usd(payload.decimal("price")).inDollars() + " for "
                    + new Usd(shown(payload.decimal("amountUsd"), CENTS)).inDollars();
            Long request = facts.serviceRequestId();
            return request == null
                    ? "You " + what + " at " + payload.text("custodian") + "."
                    : "Filled: " + what + ", request " + request + ".";
        }

        /** A number as the console shows it, rounded unless that would make it zero. */
        private static BigDecimal shown(BigDecimal exact, int decimals) {
            BigDecimal rounded = exact.setScale(Math.min(exact.scale(), decimals), RoundingMode.HALF_UP);
            return rounded.signum() == 0 ? exact : rounded;
        }

        private static String trade(EventFacts facts) {
            return Objects.requireNonNull(facts.asked()).inWords();
        }

        private static String rule(Violation violation) {
            String id = violation.ruleId();
            if (id == null) {
                return rule(violation.rule());
            }
            return violation.rule() == Rule.STANDING_RULE_BLOCKED
                    ? "standing rule " + id
                    : "standing rule " + id + " needs your approval";
        }

        private static String rule(Rule rule) {
            return switch (rule) {
                case NO_ACTIVE_IPS -> "no policy";
                case NO_PORTFOLIO_SNAPSHOT -> "no portfolio";
                case ACTION_NOT_ALLOWED -> "action not allowed";
                case CRYPTO_MAX_ALLOCATION -> "crypto maximum";
                case CRYPTO_MIN_ALLOCATION -> "crypto minimum";
                case TRADFI_MAX_ALLOCATION -> "tradfi maximum";
                case TRADFI_MIN_ALLOCATION -> "tradfi minimum";
                case CASH_FLOOR -> "cash floor";
                case INSUFFICIENT_CASH -> "not enough cash";
                case DRAWDOWN_EXCEEDED -> "drawdown limit";
                case SLIPPAGE_EXCEEDED -> "slippage limit";
                case AGENT_AUM_CAP -> "cap of the agent";
                case ASSET_AUTHORITY_MONITOR -> "asset may only be watched";
                case ASSET_AUTHORITY_PROTECT_SELL -> "asset may not be sold";
                case STANDING_RULE_BLOCKED -> "standing rule";
                case STANDING_RULE_REQUIRES_APPROVAL -> "standing rule needs your approval";
                case INVALID_PAYLOAD -> "malformed";
            };
        }

        private static String sentence(String words) {
            return words.endsWith(".") || words.endsWith("!") || words.endsWith("?") ? words : words + ".";
        }
    }
}
