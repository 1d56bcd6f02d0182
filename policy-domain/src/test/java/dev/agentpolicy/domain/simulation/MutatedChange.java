package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A change that sees a falsified account or records a falsified outcome. */
record MutatedChange<R>(Change<R> change, UnaryOperator<Account> seen, UnaryOperator<Outcome<R>> recorded)
        implements Change<R> {

    static <R> Change<R> seeing(Change<R> change, UnaryOperator<Account> seen) {
        return new MutatedChange<>(change, seen, outcome -> outcome);
    }

    static <R> Change<R> recording(Change<R> change, UnaryOperator<Outcome<R>> recorded) {
        return new MutatedChange<>(change, account -> account, recorded);
    }

    @Override
    public LoadSpec needs() {
        return change.needs();
    }

    @Override
    public Outcome<R> apply(Account account) {
        return recorded.apply(change.apply(seen.apply(account)));
    }

    static <R> Outcome<R> withReplays(Outcome<R> it, List<Replay> replays) {
        return of(it, it.events(), it.portfolio(), it.tallies(), it.requests(), it.fills(), replays);
    }

    static <R> Outcome<R> withRequests(Outcome<R> it, List<ServiceRequest> requests) {
        return of(it, it.events(), it.portfolio(), it.tallies(), requests, it.fills(), it.replays());
    }

    static <R> Outcome<R> withTallies(Outcome<R> it, Map<AgentKeyId, Tally> tallies) {
        return of(it, it.events(), it.portfolio(), tallies, it.requests(), it.fills(), it.replays());
    }

    static <R> Outcome<R> withPortfolio(Outcome<R> it, Portfolio portfolio) {
        return of(it, it.events(), portfolio, it.tallies(), it.requests(), it.fills(), it.replays());
    }

    static <R> Outcome<R> withEvents(Outcome<R> it, List<EventDraft> events) {
        return of(it, events, it.portfolio(), it.tallies(), it.requests(), it.fills(), it.replays());
    }

    static <R> Outcome<R> withFills(Outcome<R> it, List<RecordedFill> fills) {
        return of(it, it.events(), it.portfolio(), it.tallies(), it.requests(), fills, it.replays());
    }

    static <R> Outcome<R> withoutCalls(Outcome<R> it) {
        return new Outcome<>(
                it.answer(),
                it.events(),
                it.ips(),
                it.portfolio(),
                it.connections(),
                it.passkeys(),
                it.written(),
                it.flows(),
                it.keys(),
                it.tallies(),
                Map.of(),
                it.requests(),
                it.fills(),
                it.replays());
    }

    static <R> Outcome<R> withFlows(Outcome<R> it, FlowCounts flows) {
        return new Outcome<>(
                it.answer(),
                it.events(),
                it.ips(),
                it.portfolio(),
                it.connections(),
                it.passkeys(),
                it.written(),
                flows,
                it.keys(),
                it.tallies(),
                it.calls(),
                it.requests(),
                it.fills(),
                it.replays());
    }

    private static <R> Outcome<R> of(
            Outcome<R> it,
            List<EventDraft> events,
            Portfolio portfolio,
            Map<AgentKeyId, Tally> tallies,
            List<ServiceRequest> requests,
            List<RecordedFill> fills,
            List<Replay> replays) {
        return new Outcome<>(
                it.answer(),
                events,
                it.ips(),
                portfolio,
                it.connections(),
                it.passkeys(),
                it.written(),
                it.flows(),
                it.keys(),
                tallies,
                it.calls(),
                requests,
                fills,
                replays);
    }
}
