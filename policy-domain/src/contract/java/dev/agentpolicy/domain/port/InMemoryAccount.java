package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Needs;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.ChainHead;
import dev.agentpolicy.domain.event.EventChain;
import dev.agentpolicy.domain.event.EventDraft;
import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.event.Receipt;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader.Standing;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;

/** One user's account and chain in memory; a change holds its monitor. */
final class InMemoryAccount {
    private static final String SALT = "AAECAwQFBgcICQoLDA0ODw";

    private final List<PolicyEvent> events = new ArrayList<>();
    private final List<IpsVersion> ipsVersions = new ArrayList<>();
    private final List<Portfolio> portfolios = new ArrayList<>();
    private Account account;
    private ChainHead head;

    InMemoryAccount(UserId user) {
        head = ChainHead.genesis(user);
        account = new Account(
                user, Instant.EPOCH, null, null, Map.of(), Map.of(), Map.of(), Map.of(), () -> Long.MIN_VALUE);
    }

    synchronized <R> R change(Change<R> change, Instant clock, EventSigner signer, LongSupplier requestIds) {
        Instant now = Instants.truncated(clock);
        Account whole = at(now.isBefore(head.createdAt()) ? head.createdAt() : now, requestIds);
        Outcome<R> outcome = change.apply(asNeeded(whole, change.needs()));
        List<PolicyEvent> sealed = seal(outcome.events(), whole.now(), signer);
        keep(whole, outcome, sealed);
        return outcome.answer()
                .apply(sealed.stream()
                        .map(event -> new Receipt(event.seq(), event.hash()))
                        .toList());
    }

    synchronized Standing standing() {
        return new Standing(head, account.ips(), account.portfolio(), account.keys());
    }

    synchronized Tally tally(AgentKeyId key) {
        return account.tallies().getOrDefault(key, Tally.NONE);
    }

    synchronized Map<Long, ServiceRequest> requests() {
        return account.requests();
    }

    synchronized List<PolicyEvent> events() {
        return List.copyOf(events);
    }

    synchronized List<PolicyEvent> rows(long after) {
        return List.copyOf(events.subList((int) Math.min(after, events.size()), events.size()));
    }

    synchronized List<IpsVersion> ipsVersions() {
        return List.copyOf(ipsVersions);
    }

    synchronized List<Portfolio> portfolios() {
        return List.copyOf(portfolios);
    }

    private List<PolicyEvent> seal(List<EventDraft> drafts, Instant now, EventSigner signer) {
        List<PolicyEvent> sealed = new ArrayList<>();
        ChainHead next = head;
        for (EventDraft draft : drafts) {
            PolicyEvent event =
                    EventChain.next(next, draft, UUID.randomUUID(), SALT, now, signer.keyId(), signer::sign);
            sealed.add(event);
            next = ChainHead.after(event);
        }
        return sealed;
    }

    private void keep(Account whole, Outcome<?> outcome, List<PolicyEvent> sealed) {
        account = whole.after(outcome);
        events.addAll(sealed);
        head = sealed.isEmpty() ? head : ChainHead.after(sealed.get(sealed.size() - 1));
        if (outcome.ips() != null) {
            ipsVersions.add(outcome.ips());
        }
        if (outcome.portfolio() != null) {
            portfolios.add(outcome.portfolio());
        }
    }

    private Account at(Instant now, LongSupplier requestIds) {
        return new Account(
                account.userId(),
                now,
                account.ips(),
                account.portfolio(),
                account.keys(),
                account.tallies(),
                account.requests(),
                account.replays(),
                requestIds);
    }

    /** Hides what a change did not ask for, as a database does, so that a forgotten need shows in every test. */
    private static Account asNeeded(Account whole, Needs needs) {
        Map<Long, ServiceRequest> requests = new HashMap<>();
        Map<IdempotencyKey, Replay> replays = only(whole.replays(), needs.replay());
        requests.putAll(only(whole.requests(), needs.request()));
        if (needs.underWay()) {
            whole.requests().values().stream()
                    .filter(request -> request.fold(Pending::isAccepted, done -> false, no -> false))
                    .forEach(request -> requests.put(request.id(), request));
        }
        replays.values().forEach(replay -> requests.putAll(only(whole.requests(), replay.requestId())));
        return new Account(
                whole.userId(),
                whole.now(),
                whole.ips(),
                whole.portfolio(),
                whole.keys(),
                only(whole.tallies(), needs.tally()),
                requests,
                replays,
                whole.requestIds());
    }

    private static <K, V> Map<K, V> only(Map<K, V> all, K key) {
        return key != null && all.containsKey(key) ? Map.of(key, all.get(key)) : Map.of();
    }
}
