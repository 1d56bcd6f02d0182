package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.LoadSpec.SyncLoad;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.account.OwnerWrites;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.Limit.FlowForm;
import dev.agentpolicy.domain.ips.Limit.LimitKind;
import dev.agentpolicy.domain.ips.Limit.Per;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of {@link Accounts}. */
public interface AccountsContract extends StoreContract {

    @Test
    default void a_change_for_an_unknown_user_sees_an_empty_account() {
        UserId user = StoreSamples.user();
        List<Object> seen = answer(ports().accounts()
                .change(
                        user,
                        StoreSamples.change(account -> Outcome.nothing(List.of(
                                account.userId(),
                                account.keys(),
                                account.tallies(),
                                account.requests(),
                                account.ips() == null,
                                account.portfolio() == null)))));

        assertThat(seen).containsExactly(user, Map.of(), Map.of(), Map.of(), true, true);
        assertThat(ports().eventLog().head(user).seq()).isZero();
    }

    @Test
    default void the_next_change_sees_everything_that_the_last_one_recorded() {
        UserId user = StoreSamples.user();
        AgentKey key = StoreSamples.key(user);
        IpsVersion ips = new IpsVersion(1, StoreSamples.ips("0.05"), StoreSamples.START);
        Portfolio portfolio = StoreSamples.portfolio(1, "10000.125", StoreSamples.START);
        Tally tally = new Tally(
                java.time.LocalDate.of(2026, 11, 21), 3, Usd.of("1.5"), Usd.of("0.00000001"), Usd.ZERO, Usd.of("7"), 2);
        record(
                user,
                account ->
                        new Recording().key(key).ips(ips).portfolio(portfolio).tally(key.id(), tally));

        List<Object> seen = answer(ports().accounts()
                .change(
                        user,
                        StoreSamples.change(
                                LoadSpec.tally(key.id()),
                                account -> Outcome.nothing(List.of(
                                        account.keys(), account.ips(), account.portfolio(), account.tallies())))));
        assertThat(seen).containsExactly(Map.of(key.id(), key), ips, portfolio, Map.of(key.id(), tally));
    }

    /** An account cannot fill the heap with keys: at most 500 are loaded. */
    @Test
    default void beyond_500_keys_those_that_ended_first_are_loaded_only_when_named() {
        UserId user = StoreSamples.user();
        Instant now = clock().instant();
        AgentKey works = StoreSamples.key(user);
        List<AgentKey> ended = IntStream.range(0, AgentKey.MAX_KEPT + 5)
                .mapToObj(i -> StoreSamples.key(user).revoked(now.minusSeconds(i)))
                .toList();
        record(user, account -> {
            Recording recording = new Recording().key(works);
            ended.forEach(recording::key);
            return recording;
        });
        List<AgentKey> kept = Stream.concat(Stream.of(works), ended.stream().limit(AgentKey.MAX_KEPT - 1))
                .toList();
        AgentKey first = ended.get(ended.size() - 1);

        assertThat(ports().accountReader().view(user).keys().values()).containsExactlyInAnyOrderElementsOf(kept);
        assertThat(keys(user, LoadSpec.NOTHING)).containsExactlyInAnyOrderElementsOf(kept);
        assertThat(keys(user, LoadSpec.tally(first.id())))
                .contains(first)
                .containsAll(kept)
                .hasSize(AgentKey.MAX_KEPT + 1);
        AgentKey another = mint(user);
        assertThat(ports().accountReader().view(user).keys().values())
                .contains(works, another)
                .doesNotContain(kept.get(kept.size() - 1))
                .hasSize(AgentKey.MAX_KEPT);
    }

    private Collection<AgentKey> keys(UserId user, LoadSpec needs) {
        return answer(ports().accounts()
                .change(
                        user,
                        StoreSamples.change(
                                needs, account -> Outcome.nothing(account.keys().values()))));
    }

    @Test
    default void only_the_parts_named_by_the_load_spec_are_loaded() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        IdempotencyKey once = new IdempotencyKey(key, "Monday's rebalancing é");
        IdempotencyKey other = new IdempotencyKey(key, "monday's rebalancing é");
        long first = propose(user, key, once);
        long second = propose(user, key, null);

        assertThat(seen(user, LoadSpec.NOTHING)).containsExactly(List.of(), List.of());
        assertThat(seen(user, new LoadSpec(null, second, null, null, false, false, false, null)))
                .containsExactly(List.of(second), List.of());
        assertThat(seen(user, new LoadSpec(null, null, once, null, false, false, false, null)))
                .containsExactly(List.of(first), List.of(once));
        assertThat(seen(user, new LoadSpec(null, null, other, null, false, false, false, null)))
                .containsExactly(List.of(), List.of());
        assertThat(seen(StoreSamples.user(), new LoadSpec(key, second, once, null, true, false, false, null)))
                .containsExactly(List.of(), List.of());
    }

    @Test
    default void accepted_and_unfilled_requests_are_loaded_on_demand() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        long waiting = propose(user, key, null);
        long refused = propose(user, key, null);
        long unfilled = propose(user, key, null);
        move(
                user,
                refused,
                (pending, now) -> pending.accepted("broker", CustodianKind.PAPER, Fraction.of("0.01"), now)
                        .notExecuted("Closed."));
        move(
                user,
                unfilled,
                (pending, now) -> pending.accepted("broker", CustodianKind.PAPER, Fraction.of("0.01"), now));
        UserId other = StoreSamples.user();
        long others = propose(other, key, null);
        move(
                other,
                others,
                (pending, now) -> pending.accepted("broker", CustodianKind.PAPER, Fraction.of("0.01"), now));

        assertThat(seen(user, LoadSpec.accepted())).containsExactly(List.of(unfilled), List.of());
        assertThat(seen(user, new LoadSpec(null, waiting, null, null, true, false, false, null)).get(0).stream()
                        .sorted())
                .isEqualTo(List.of(waiting, unfilled));
        assertThat(seen(user, new LoadSpec(null, waiting, null, null, false, false, false, null)))
                .containsExactly(List.of(waiting), List.of());
    }

    @Test
    default void what_was_accepted_without_a_passkey_within_a_day_is_loaded_where_an_amount_is_demanded() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        long waiting = propose(user, key, null);
        long signed = propose(user, key, null);
        long unsigned = propose(user, key, null);
        long ended = propose(user, key, null);
        long old = propose(user, key, null);
        move(user, signed, (pending, now) -> accepted(pending, now).signed());
        move(user, unsigned, AccountsContract::accepted);
        move(user, ended, (pending, now) -> accepted(pending, now).notExecuted("Closed."));
        move(user, old, (pending, now) -> accepted(pending, now.minus(OwnerPasskeys.WITHIN.multipliedBy(2))));
        LoadSpec needs = new LoadSpec(null, waiting, null, null, false, false, true, null);

        assertThat(seen(user, needs)).containsExactly(List.of(waiting), List.of());
        OwnerPasskeys demanded = OwnerPasskeys.NONE.requiredAbove(Usd.of(100));
        answer(ports().accounts()
                .change(
                        user,
                        StoreSamples.change(
                                LoadSpec.NOTHING,
                                account -> new Outcome.Recording()
                                        .passkeys(demanded)
                                        .answer(receipts -> true))));

        assertThat(seen(user, needs).get(0).stream().sorted()).isEqualTo(List.of(waiting, unsigned));
    }

    private static Pending accepted(Pending pending, Instant now) {
        return pending.accepted("broker", CustodianKind.PAPER, Fraction.of("0.01"), now);
    }

    @Test
    default void a_changed_request_replaces_its_predecessor() {
        UserId user = StoreSamples.user();
        long id = propose(user, new AgentKeyId(UUID.randomUUID()), null);
        move(user, id, (pending, now) -> pending.rejected("No.", now));

        ServiceRequest moved = ports().requestQueue().find(user, id).orElseThrow();
        assertThat(moved.status()).isEqualTo(ServiceRequest.RequestStatus.REJECTED);
        assertThat(moved.reason()).isEqualTo("No.");
    }

    @Test
    default void later_requests_of_a_user_have_higher_ids() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        List<Long> ids =
                IntStream.range(0, 5).mapToObj(i -> propose(user, key, null)).toList();

        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }

    @Test
    default void receipts_come_in_the_order_of_the_events() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        List<Receipt> receipts = record(
                user,
                account -> new Recording()
                        .event(StoreSamples.decided(key, true, account.now()))
                        .event(StoreSamples.decided(key, false, account.now())));

        List<PolicyEvent> chain = chain(user);
        assertThat(chain)
                .extracting(event -> new Receipt(event.seq(), event.hash()))
                .containsExactlyElementsOf(receipts);
        assertThat(receipts).extracting(Receipt::seq).containsExactly(1L, 2L);
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    default void a_change_that_throws_records_nothing_and_does_not_affect_others() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        List<CompletionStage<Receipt>> changes = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            boolean isBroken = i % 3 == 1;
            changes.add(ports().accounts().change(user, StoreSamples.change(account -> {
                if (isBroken) {
                    throw new IllegalStateException("broken");
                }
                return new Recording()
                        .event(StoreSamples.decided(key, true, account.now()))
                        .answer(receipts -> receipts.get(0));
            })));
        }
        for (int i = 0; i < 30; i++) {
            CompletionStage<Receipt> change = changes.get(i);
            if (i % 3 == 1) {
                assertThatThrownBy(() -> answer(change))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("broken");
            } else {
                assertThat(answer(change).seq()).isPositive();
            }
        }
        assertThat(chain(user)).hasSize(20);
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    default void an_event_that_has_no_canonical_form_fails_its_whole_change() {
        UserId user = StoreSamples.user();
        AgentKey key = StoreSamples.key(user);
        EventDraft unwritable = new EventDraft(EventKind.KEY_MINTED, Map.of("amount", 1.5));
        CompletionStage<Integer> bad = ports().accounts()
                .change(
                        user,
                        StoreSamples.change(account -> new Recording()
                                .key(key)
                                .event(StoreSamples.decided(key.id(), true, account.now()))
                                .event(unwritable)
                                .answer(List::size)));
        Receipt next = decide(user, key.id(), true);

        assertThatThrownBy(() -> answer(bad)).isInstanceOf(IllegalArgumentException.class);
        assertThat(next.seq()).isEqualTo(1);
        assertThat(ports().accountReader().view(user).keys()).isEmpty();
    }

    @Test
    default void changes_of_one_user_happen_one_at_a_time() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        List<CompletionStage<Long>> changes = IntStream.range(0, 100)
                .mapToObj(i -> ports().accounts().change(user, StoreSamples.change(LoadSpec.tally(key), account -> {
                    Tally tally = account.tally(key).plusCall();
                    return new Recording()
                            .tally(key, tally)
                            .event(StoreSamples.decided(key, true, account.now()))
                            .answer(receipts -> tally.calls());
                })))
                .toList();

        assertThat(changes)
                .extracting(this::answer)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 100).mapToObj(i -> (long) i).toList());
        assertThat(ports().accountReader().tally(user, key).calls()).isEqualTo(100);
        assertThat(chain(user)).hasSize(100);
    }

    @Test
    default void the_decisions_of_a_day_are_counted_over_all_keys() {
        UserId user = StoreSamples.user();
        List<AgentKeyId> keys = List.of(new AgentKeyId(UUID.randomUUID()), new AgentKeyId(UUID.randomUUID()));
        List<CompletionStage<Boolean>> changes = IntStream.range(0, 300)
                .mapToObj(i -> keys.get(i % 2))
                .map(key -> ports().accounts()
                        .change(
                                user,
                                StoreSamples.change(
                                        LoadSpec.tally(key),
                                        account -> new Recording()
                                                .tally(key, account.tally(key).plusCall())
                                                .event(StoreSamples.decided(key, true, account.now()))
                                                .answer(receipts -> true))))
                .toList();
        changes.forEach(this::answer);

        assertThat(decisionsToday(user)).isEqualTo(300);
        record(user, account -> new Recording().key(StoreSamples.key(user)));
        decide(user, keys.get(0), false);
        assertThat(decisionsToday(user)).isEqualTo(301);
        Instant before = clock().instant();
        clock().set(before.plus(Duration.ofDays(1)));
        assertThat(decisionsToday(user)).isZero();
        clock().set(before);
    }

    @Test
    default void what_the_user_wrote_on_a_day_is_kept_exactly() {
        UserId user = StoreSamples.user();
        List<Change<OwnerWrites>> changes = IntStream.range(0, 40)
                .mapToObj(i -> StoreSamples.change(account -> {
                    OwnerWrites today = account.writtenToday();
                    OwnerWrites next = i % 2 == 0 ? today.plusIpsVersion(100) : today.plusHoldings();
                    return new Recording().written(next).answer(receipts -> next);
                }))
                .toList();
        List<CompletionStage<OwnerWrites>> answers = changes.stream()
                .map(change -> ports().accounts().change(user, change))
                .toList();
        answers.forEach(this::answer);

        assertThat(written(user))
                .isEqualTo(new OwnerWrites(LocalDate.ofInstant(clock().instant(), ZoneOffset.UTC), 20, 2_000, 20));
        decide(user, mint(user).id(), true);
        assertThat(written(user).holdings()).isEqualTo(20);
        Instant before = clock().instant();
        clock().set(before.plus(Duration.ofDays(1)));
        assertThat(written(user).ipsVersions()).isZero();
        clock().set(before);
    }

    @Test
    default void the_pending_requests_of_a_key_are_loaded_on_demand() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        long first = propose(user, key, null);
        long resolved = propose(user, key, null);
        long accepted = propose(user, key, null);
        propose(user, new AgentKeyId(UUID.randomUUID()), null);
        propose(StoreSamples.user(), key, null);
        move(user, resolved, (pending, now) -> pending.rejected(null, now));
        move(
                user,
                accepted,
                (pending, now) -> pending.accepted("broker", CustodianKind.PAPER, Fraction.of("0.01"), now));

        assertThat(seen(user, LoadSpec.pendingOf(key)).get(0).stream().sorted()).isEqualTo(List.of(first, accepted));
    }

    @Test
    default void connections_are_recorded_and_stay_until_they_change() {
        UserId user = StoreSamples.user();
        AgentKey key = mint(user);
        CustodianConnections one =
                CustodianConnections.NONE.with(StoreSamples.connection("broker", StoreSamples.START));
        CustodianConnections two = one.with(StoreSamples.connection("other", StoreSamples.START));

        assertThat(connections(user)).isEqualTo(CustodianConnections.NONE);
        record(user, account -> new Recording().connections(one));
        assertThat(connections(user)).isEqualTo(one);
        record(user, account -> new Recording().portfolio(StoreSamples.portfolio(1, "1", StoreSamples.START)));
        decide(user, key.id(), true);
        assertThat(connections(user)).isEqualTo(one);
        assertThat(ports().accountReader().view(user).connections()).isEqualTo(one);
        record(user, account -> new Recording().connections(two));
        assertThat(connections(user)).isEqualTo(two);
        record(user, account -> new Recording().connections(CustodianConnections.NONE));
        assertThat(connections(user)).isEqualTo(CustodianConnections.NONE);
        assertThat(ports().accountReader().view(user).connections()).isEqualTo(CustodianConnections.NONE);
    }

    @Test
    default void counts_of_flows_are_recorded_and_stay_until_they_change() {
        UserId user = StoreSamples.user();
        AgentKey key = mint(user);
        When scope = new When(null, null, Set.of(new AssetSymbol("BTC")), null, null, null);
        FlowForm form = new FlowForm(scope, 5, Per.AGENT);
        List<Limit> limits = List.of(
                new Limit("a", LimitKind.FLOW, Effect.BLOCK, null, scope, null, false, form, Usd.of(9), null, null));
        Approval approval = new Approval(
                "a", null, null, null, null, StoreSamples.START.plus(Duration.ofDays(1)), 3, Usd.of("9.5"));
        Trade trade = Trade.buy("BTC", Usd.of("7.25"));
        FlowCounts one = FlowCounts.NONE.plus(limits, List.of(approval), key.id(), trade, StoreSamples.START);
        FlowCounts two = one.plus(limits, List.of(), key.id(), Trade.sell("BTC", Usd.of(1)), StoreSamples.START);

        assertThat(flows(user)).isEqualTo(FlowCounts.NONE);
        record(user, account -> new Recording().flows(one));
        assertThat(flows(user)).isEqualTo(one);
        decide(user, key.id(), true);
        assertThat(flows(user)).isEqualTo(one);
        assertThat(ports().accountReader().view(user).flows()).isEqualTo(one);
        assertThat(ports().accountReader()
                        .view(user, key)
                        .toCompletableFuture()
                        .join()
                        .flows())
                .isEqualTo(one);
        record(user, account -> new Recording().flows(two));
        assertThat(flows(user)).isEqualTo(two);
        record(user, account -> new Recording().flows(FlowCounts.NONE));
        assertThat(flows(user)).isEqualTo(FlowCounts.NONE);
        assertThat(ports().accountReader().view(user).flows()).isEqualTo(FlowCounts.NONE);
    }

    private FlowCounts flows(UserId user) {
        return answer(
                ports().accounts().change(user, StoreSamples.change(account -> Outcome.nothing(account.flows()))));
    }

    @Test
    default void connections_alone_have_neither_an_event_nor_a_portfolio_revision() {
        UserId user = StoreSamples.user();
        CustodianConnections one =
                CustodianConnections.NONE.with(StoreSamples.connection("broker", StoreSamples.START));

        assertThat(record(user, account -> new Recording().connections(one))).isEmpty();

        assertThat(ports().eventLog().head(user).seq()).isZero();
        assertThat(ports().accountReader().view(user).portfolio()).isNull();
    }

    @Test
    default void a_sync_is_told_which_of_the_fills_of_its_custodian_are_recorded() {
        UserId user = StoreSamples.user();
        record(
                user,
                account -> new Recording()
                        .fill(fill("paper", "1"))
                        .fill(fill("paper", "2"))
                        .fill(fill("other", "3")));

        assertThat(fills(user, "paper", Set.of("1", "3", "4"))).containsExactly("1");
        assertThat(fills(user, "other", Set.of("1", "3", "4"))).containsExactly("3");
        assertThat(fills(user, "paper", Set.of())).isEmpty();
        assertThat(fills(StoreSamples.user(), "paper", Set.of("1"))).isEmpty();
    }

    @Test
    default void two_syncs_at_once_do_not_mistake_the_fills_of_their_custodians() {
        UserId user = StoreSamples.user();
        record(user, account -> new Recording().fill(fill("paper", "1")).fill(fill("other", "2")));
        List<CompletionStage<Set<String>>> syncs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            syncs.add(ports().accounts()
                    .change(user, reading(i % 2 == 0 ? "paper" : "other", Set.of("1", "2"), Set.of(), Set.of())));
        }

        assertThat(syncs.stream().map(this::answer).distinct()).containsExactly(Set.of("1"), Set.of("2"));
    }

    @Test
    default void a_fill_is_recorded_once() {
        UserId user = StoreSamples.user();
        record(user, account -> new Recording().fill(fill("paper", "1")));

        assertThatThrownBy(() -> record(
                        user,
                        account -> new Recording().key(StoreSamples.key(user)).fill(fill("paper", "1"))))
                .isInstanceOf(RuntimeException.class);
        record(user, account -> new Recording().fill(fill("other", "1")));

        assertThat(ports().accountReader().view(user).keys()).isEmpty();
        assertThat(ports().fillLog().withoutRequest(user, 10)).containsExactly(fill("other", "1"), fill("paper", "1"));
    }

    @Test
    default void of_changes_made_at_once_that_record_one_fill_one_succeeds() {
        UserId user = StoreSamples.user();
        List<CompletionStage<Boolean>> changes = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            changes.add(ports().accounts()
                    .change(
                            user,
                            StoreSamples.change(account -> new Recording()
                                    .fill(fill("paper", "1"))
                                    .event(StoreSamples.decided(new AgentKeyId(UUID.randomUUID()), true, account.now()))
                                    .answer(receipts -> true))));
        }

        assertThat(changes.stream().filter(this::succeeds)).hasSize(1);
        assertThat(chain(user)).hasSize(1);
        assertThat(ports().fillLog().withoutRequest(user, 10)).containsExactly(fill("paper", "1"));
    }

    @Test
    default void a_sync_loads_the_accepted_requests_those_it_names_and_the_tallies_of_several_keys() {
        UserId user = StoreSamples.user();
        AgentKey one = mint(user);
        AgentKey two = mint(user);
        AgentKey three = mint(user);
        Tally tally = Tally.NONE.at(clock().instant()).plusCall();
        record(
                user,
                account -> new Recording()
                        .tally(one.id(), tally)
                        .tally(two.id(), tally.plusCall())
                        .tally(three.id(), tally));
        long accepted = propose(user, one.id(), null);
        long named = propose(user, two.id(), null);
        propose(user, two.id(), null);
        move(
                user,
                accepted,
                (pending, now) -> pending.accepted("paper", CustodianKind.PAPER, Fraction.of("0.01"), now));
        SyncLoad sync = new SyncLoad("paper", Set.of(), Set.of(named), Set.of(one.id(), two.id()));

        List<Object> seen = answer(ports().accounts()
                .change(
                        user,
                        StoreSamples.change(
                                LoadSpec.sync(sync),
                                account -> Outcome.nothing(
                                        List.of(account.requests().keySet(), account.tallies())))));

        assertThat(seen).containsExactly(Set.of(accepted, named), Map.of(one.id(), tally, two.id(), tally.plusCall()));
    }

    private boolean succeeds(CompletionStage<Boolean> change) {
        try {
            return answer(change);
        } catch (RuntimeException failed) {
            return false;
        }
    }

    private static RecordedFill fill(String custodian, String id) {
        Fill fill = StoreSamples.fill(id, null);
        return new RecordedFill(
                new Fill(
                        custodian,
                        id,
                        null,
                        fill.action(),
                        fill.symbol(),
                        fill.assetType(),
                        fill.quantity(),
                        fill.price(),
                        fill.amountUsd(),
                        fill.executedAt()),
                null);
    }

    @Test
    default void passkeys_are_kept_with_the_account() {
        UserId user = StoreSamples.user();
        AgentKey key = mint(user);
        OwnerPasskeys one = OwnerPasskeys.NONE
                .with(new SoftPasskey().registered("phone", StoreSamples.START))
                .requiredAbove(Usd.of("0.5"));
        OwnerPasskeys two = one.with(new SoftPasskey().registered("laptop", StoreSamples.START))
                .with(one.all().get(0).used(3, StoreSamples.START.plusSeconds(1)))
                .requiredAbove(null);

        assertThat(passkeys(user)).isEqualTo(OwnerPasskeys.NONE);
        record(user, account -> new Recording().passkeys(one));
        assertThat(passkeys(user)).isEqualTo(one);
        decide(user, key.id(), true);
        assertThat(passkeys(user)).isEqualTo(one);
        record(user, account -> new Recording().passkeys(two));
        assertThat(passkeys(user)).isEqualTo(two);
        assertThat(ports().accountReader().view(user).passkeys()).isEqualTo(two);
    }

    private OwnerPasskeys passkeys(UserId user) {
        return answer(ports().accounts().change(user, account -> Outcome.nothing(account.passkeys())));
    }

    private CustodianConnections connections(UserId user) {
        return answer(ports().accounts()
                .change(user, StoreSamples.change(account -> Outcome.nothing(account.connections()))));
    }

    private Set<String> fills(UserId user, String custodian, Set<String> ids) {
        return answer(ports().accounts().change(user, reading(custodian, ids, Set.of(), Set.of())));
    }

    private static Change<Set<String>> reading(
            String custodian, Set<String> fills, Set<Long> requests, Set<AgentKeyId> tallies) {
        return StoreSamples.change(
                LoadSpec.sync(new SyncLoad(custodian, fills, requests, tallies)),
                account -> Outcome.nothing(account.fills()));
    }

    @Test
    default void times_in_a_chain_never_decrease() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        Instant before = clock().instant();
        decide(user, key, true);
        clock().set(before.minus(Duration.ofHours(1)));
        Instant seen =
                answer(ports().accounts().change(user, StoreSamples.change(account -> Outcome.nothing(account.now()))));
        decide(user, key, true);
        clock().set(before.plusNanos(1_999));
        decide(user, key, true);
        clock().set(before);

        assertThat(seen).isEqualTo(before);
        assertThat(chain(user))
                .extracting(PolicyEvent::createdAt)
                .containsExactly(before, before, before.plusNanos(1_000));
        assertThat(verify(user).isIntact()).isTrue();
    }

    private OwnerWrites written(UserId user) {
        return answer(ports().accounts()
                .change(user, StoreSamples.change(account -> Outcome.nothing(account.writtenToday()))));
    }

    private long decisionsToday(UserId user) {
        return answer(ports().accounts()
                .change(user, StoreSamples.change(account -> Outcome.nothing(account.decisionsToday()))));
    }

    private List<List<?>> seen(UserId user, LoadSpec needs) {
        return answer(ports().accounts()
                .change(
                        user,
                        StoreSamples.change(
                                needs,
                                account -> Outcome.nothing(List.of(
                                        List.copyOf(account.requests().keySet()),
                                        List.copyOf(account.replays().keySet()))))));
    }

    private void move(UserId user, long id, BiFunction<Pending, Instant, ServiceRequest> how) {
        answer(ports().accounts()
                .change(
                        user,
                        StoreSamples.change(new LoadSpec(null, id, null, null, false, false, false, null), account -> {
                            Pending pending =
                                    Pending.of(account.request(id).orElseThrow().proposal());
                            return new Recording()
                                    .request(how.apply(pending, account.now()))
                                    .answer(receipts -> true);
                        })));
    }

    private long propose(UserId user, AgentKeyId key, IdempotencyKey once) {
        return answer(ports().accounts().change(user, StoreSamples.change(account -> {
            long id = account.requestIds().getAsLong();
            Recording recording = new Recording()
                    .request(Pending.of(StoreSamples.proposal(
                            id, user, key, account.now(), account.now().plus(Duration.ofDays(7)))));
            if (once != null) {
                recording.replay(new Replay(once, id, StoreSamples.hash(), account.now()));
            }
            return recording.answer(receipts -> id);
        })));
    }
}
