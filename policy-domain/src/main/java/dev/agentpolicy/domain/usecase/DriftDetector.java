package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Drift;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Detects when a change moves a sleeve out of its band or back into it, or cash below its floor or back above it. Makes
 * one event for each crossing.
 */
public final class DriftDetector {

    private DriftDetector() {}

    /** The drift events of a change, from the account before it and after it. */
    public static List<EventDraft> between(
            @Nullable IpsVersion ipsBefore,
            @Nullable Portfolio portfolioBefore,
            @Nullable IpsVersion ipsAfter,
            @Nullable Portfolio portfolioAfter) {
        Snapshot snapshot = snapshot(portfolioAfter);
        if (ipsAfter == null || snapshot == null) {
            return List.of();
        }
        List<Drift> before = drifts(ipsBefore, snapshot(portfolioBefore));
        List<Drift> after = Drift.of(snapshot, ipsAfter.ips());
        List<EventDraft> drafts = new ArrayList<>();
        Set<Rule> outsideNow = rules(after);
        for (Drift drift : before) {
            if (!outsideNow.contains(drift.rule())) {
                Drift cleared = Drift.at(drift.rule(), snapshot, ipsAfter.ips());
                drafts.add(EventPayloads.drift(EventKind.DRIFT_CLEARED, cleared, ipsAfter.version(), snapshot));
            }
        }
        Set<Rule> outsideBefore = rules(before);
        for (Drift drift : after) {
            if (!outsideBefore.contains(drift.rule())) {
                drafts.add(EventPayloads.drift(EventKind.DRIFT_DETECTED, drift, ipsAfter.version(), snapshot));
            }
        }
        return drafts;
    }

    /** Records what a portfolio became, if it changed, with these events and the drift it makes. */
    public static Outcome.Recording recording(Account account, Portfolio after, List<EventDraft> events) {
        Outcome.Recording recording = new Outcome.Recording().events(events);
        if (!after.equals(account.portfolio())) {
            recording.portfolio(after).events(between(account.ips(), account.portfolio(), account.ips(), after));
        }
        return recording;
    }

    private static List<Drift> drifts(@Nullable IpsVersion ips, @Nullable Snapshot snapshot) {
        return ips == null || snapshot == null ? List.of() : Drift.of(snapshot, ips.ips());
    }

    private static @Nullable Snapshot snapshot(@Nullable Portfolio portfolio) {
        return portfolio == null ? null : portfolio.snapshot().orElse(null);
    }

    private static Set<Rule> rules(List<Drift> drifts) {
        return drifts.stream().map(Drift::rule).collect(Collectors.toSet());
    }
}
