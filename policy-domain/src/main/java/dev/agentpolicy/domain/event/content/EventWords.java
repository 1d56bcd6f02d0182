package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.DecisionRecord.Actor;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Action;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Says events in plain English, one sentence each, to the user whose events they are (docs/reference/activity.md). */
final class EventWords {
    private static final int GROUP = 3;
    private static final int CENTS = 2;

    private EventWords() {}

    static String of(EventFacts facts, Stored payload, Function<AgentKeyId, String> agentName) {
        return switch (facts.row().kind()) {
            case IPS_CREATED, IPS_AMENDED -> policy(facts.row().kind(), payload);
            case KEY_MINTED, KEY_ROTATED, KEY_REVOKED -> key(facts.row().kind(), payload);
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

    private static String policy(EventKind kind, Stored payload) {
        boolean isPaused =
                Boolean.TRUE.equals(payload.object("document").document().get("paused"));
        return (kind == EventKind.IPS_CREATED ? "You set the policy" : "You changed the policy")
                + ", version " + payload.integer("ipsVersion")
                + (isPaused ? "; all agents are paused." : ".");
    }

    private static String key(EventKind kind, Stored payload) {
        Document members = payload.document();
        boolean isPasskey = EventPayloads.isOfPasskey(members);
        String what = (isPasskey ? "the passkey " : "the key ") + payload.text("name");
        return switch (kind) {
            case KEY_MINTED -> (isPasskey ? "You added " : "You minted ") + what + ".";
            case KEY_REVOKED -> (isPasskey ? "You removed " : "You revoked ") + what + ".";
            default ->
                Boolean.FALSE.equals(members.get("secretChanged"))
                        ? "You changed " + what + "."
                        : "You gave " + what + " a new secret.";
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
            return "You accepted" + request + how + (facts.violations().isEmpty() ? "." : ": " + verdict(facts) + ".");
        }
        return "You rejected" + request + (reason == null ? "." : ": " + sentence(reason));
    }

    private static String verdict(EventFacts facts) {
        List<Violation> violations = facts.violations();
        Long request = facts.serviceRequestId();
        return violations.isEmpty()
                ? request == null ? "allowed" : "allowed, request " + request
                : "blocked, "
                        + joined(violations.stream()
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
        String what = did + payload.decimal("quantity").toPlainString() + " " + facts.symbol() + " at "
                + dollars(new Usd(payload.decimal("price"))) + " for " + dollars(facts.amount());
        Long request = facts.serviceRequestId();
        return request == null
                ? "You " + what + " at " + payload.text("custodian") + "."
                : "Filled: " + what + ", request " + request + ".";
    }

    private static String trade(EventFacts facts) {
        return (facts.action() == Action.BUY ? "buy " : "sell ") + facts.symbol() + " for " + dollars(facts.amount());
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

    private static String joined(List<String> words) {
        int last = words.size() - 1;
        return last == 0 ? words.get(0) : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }

    private static String sentence(String words) {
        return words.endsWith(".") || words.endsWith("!") || words.endsWith("?") ? words : words + ".";
    }

    /** {@code $1,200} or {@code $1,200.50}. */
    static String dollars(@Nullable Usd amount) {
        BigDecimal value = Objects.requireNonNull(amount).value();
        boolean isWhole = value.stripTrailingZeros().scale() <= 0;
        String plain =
                value.setScale(isWhole ? 0 : Math.max(CENTS, value.scale())).toPlainString();
        int point = plain.indexOf('.') < 0 ? plain.length() : plain.indexOf('.');
        StringBuilder text = new StringBuilder(plain);
        for (int i = point - GROUP; i > 0; i -= GROUP) {
            text.insert(i, ',');
        }
        return text.insert(0, '$').toString();
    }
}
