package dev.agentpolicy.domain.event.content;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says what a change of the policy or of a key has changed, by what was recorded before it. */
final class ChangeWords {
    static final String PAUSED = "You paused all agents";

    private static final String CHANGED = "You changed the policy";
    private static final DateTimeFormatter MINUTES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private ChangeWords() {}

    /**
     * What the user did to the policy; without a full stop.
     *
     * @param before null when it is not known
     */
    static String ofPolicy(@Nullable Stored before, Stored after, Function<AgentKeyId, String> agentName) {
        return before == null ? CHANGED : ofPolicy(ips(before), ips(after), agentName);
    }

    private static Ips ips(Stored payload) {
        return IpsDocument.readSigned(payload.object("document").document()).orElseThrow();
    }

    private static String ofPolicy(Ips before, Ips after, Function<AgentKeyId, String> agentName) {
        boolean isPauseChanged = before.isPaused() != after.isPaused();
        boolean isPeakNew = !Objects.equals(before.drawdownSince(), after.drawdownSince());
        // Approvals that have ended are left out by any change.
        List<Approval> approved = new ArrayList<>(after.approvals());
        approved.removeAll(before.approvals());
        Ips alike = before.withPaused(after.isPaused())
                .withDrawdownSince(after.drawdownSince())
                .withApprovals(after.approvals());
        int changes = (isPauseChanged ? 1 : 0) + (isPeakNew ? 1 : 0) + (approved.isEmpty() ? 0 : 1);
        if (!alike.equals(after) || changes != 1) {
            return CHANGED;
        }
        if (isPauseChanged) {
            return after.isPaused() ? PAUSED : "You resumed all agents";
        }
        return isPeakNew
                ? "You began a new peak"
                : "You approved "
                        + joined(approved.stream()
                                .map(it -> approval(it, agentName))
                                .toList());
    }

    /** "buys of BTC by Robot of at most $500 under rule big until 2026-12-01 00:00 UTC". */
    private static String approval(Approval approval, Function<AgentKeyId, String> agentName) {
        StringBuilder words = new StringBuilder(
                approval.action() == null ? "trades" : approval.action().wireName() + "s");
        append(words, " of ", approval.symbol(), AssetSymbol::value);
        append(words, " by ", approval.agentKeyId(), key -> agentName.apply(new AgentKeyId(key)));
        append(words, " of at most ", approval.maxAmountUsd(), Usd::inDollars);
        words.append(" under rule ").append(approval.ruleId());
        append(words, ", at most ", approval.maxUses(), uses -> uses == 1 ? "once" : uses + " times");
        append(words, ", for ", approval.maxTotalUsd(), total -> total.inDollars() + " in all");
        return words.append(", until ").append(MINUTES.format(approval.until())).toString();
    }

    private static <T> void append(StringBuilder words, String before, @Nullable T value, Function<T, String> text) {
        if (value != null) {
            words.append(before).append(text.apply(value));
        }
    }

    /**
     * What the user changed of a key or a connection that keeps its secret.
     *
     * @param what names it
     * @param before null when it is not known
     */
    static String ofKey(String what, @Nullable Stored before, Stored after) {
        String changed = "You changed " + what + ".";
        if (before == null) {
            return changed;
        }
        List<String> caps = caps(policy(before), policy(after));
        boolean isPaused = isPaused(after);
        boolean isRenamed = !before.text("name").equals(after.text("name"));
        boolean hasOtherNetworks = !Objects.equals(
                before.document().get("allowedCidrs"), after.document().get("allowedCidrs"));
        List<String> changes = new ArrayList<>();
        if (isPaused != isPaused(before)) {
            changes.add(isPaused ? "You paused " + what : "You resumed " + what);
        }
        if (!caps.isEmpty()) {
            changes.add("You set new caps for " + what + ": " + String.join(", ", caps));
        }
        if (isRenamed) {
            changes.add("You renamed " + before.text("name") + " to " + after.text("name"));
        }
        if (hasOtherNetworks) {
            changes.add("You changed from where " + what + " may be used");
        }
        return changes.isEmpty() ? changed : String.join(". ", changes) + ".";
    }

    private static boolean isPaused(Stored payload) {
        return Boolean.TRUE.equals(payload.document().get("paused"));
    }

    private static KeyPolicy policy(Stored payload) {
        return KeyPolicy.SCHEMA.readSigned(payload.object("policy").document());
    }

    private static List<String> caps(KeyPolicy before, KeyPolicy after) {
        List<String> caps = new ArrayList<>();
        cap(caps, before, after, KeyPolicy::dailyCallCap, calls -> calls + " calls a day", "any number of calls");
        cap(caps, before, after, KeyPolicy::dailyUsdCap, usd -> usd.inDollars() + " a day", "any amount a day");
        cap(
                caps,
                before,
                after,
                KeyPolicy::aumCapUsd,
                usd -> usd.inDollars() + " outstanding",
                "any amount outstanding");
        cap(caps, before, after, KeyPolicy::allowedAssets, ChangeWords::symbols, "any asset");
        cap(caps, before, after, KeyPolicy::allowedAssetTypes, ChangeWords::words, "any class");
        return caps;
    }

    private static <T> void cap(
            List<String> caps,
            KeyPolicy before,
            KeyPolicy after,
            Function<KeyPolicy, @Nullable T> part,
            Function<T, String> words,
            String none) {
        @Nullable T was = part.apply(before);
        @Nullable T is = part.apply(after);
        if (!Objects.equals(was, is)) {
            caps.add((is == null ? none : words.apply(is)) + " (was " + (was == null ? none : words.apply(was)) + ")");
        }
    }

    private static String symbols(Collection<AssetSymbol> assets) {
        return assets.isEmpty()
                ? "no asset"
                : assets.stream().map(AssetSymbol::value).sorted().collect(Collectors.joining(" "));
    }

    private static String words(Collection<? extends Word> classes) {
        return classes.isEmpty()
                ? "no class"
                : classes.stream().map(Word::wireName).sorted().collect(Collectors.joining(" "));
    }

    /** "a, b and c" */
    static String joined(List<String> words) {
        int last = words.size() - 1;
        return last == 0 ? words.get(0) : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }
}
