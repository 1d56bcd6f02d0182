package dev.agentpolicy.adapter.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.HandoverBench;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.port.SealedKeys;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.usecase.RandomHistory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How all chains of a database go from one event key to the next (docs/reference/events.md, Rotation). */
class KeyHandoverTest extends HandoverBench {
    @ParameterizedTest
    @ValueSource(strings = {"H2", "PostgreSQL"})
    void a_life_goes_on_over_a_rotation(String database) {
        Node node = node(url(database));
        UserId user = StoreSamples.user();
        RandomHistory days = new RandomHistory(node.ports(), clock, 3);
        days.live(user, 60, 3);
        String first = node.signsWith();
        SigningKey next = node.ring().prepareNext(clock.instant().plus(NOTICE));

        assertThat(node.ring().prepareNext(clock.instant()))
                .describedAs("one waits at a time")
                .isEqualTo(next);
        assertThat(node.signsWith()).isEqualTo(first);
        clock.advance(NOTICE);
        assertThat(node.signsWith()).isEqualTo(next.kid());
        assertThat(node.verdict(user, first).isIntact())
                .describedAs("a head of the next key")
                .isTrue();
        days.live(user, 60, 3);

        List<PolicyEvent> rows = node.chain(user);
        assertThat(node.verdict(user, first).isIntact()).isTrue();
        assertThat(rows)
                .filteredOn(row -> row.kind() == EventKind.SIGNING_KEY_ROTATED)
                .hasSize(1);
        Recomputation recomputation = Recomputation.begin();
        assertThat(rows).allSatisfy(row -> assertThat(recomputation.row(row)).isEmpty());
        assertThat(statuses(node)).containsExactlyInAnyOrder(KeyStatus.RETIRED, KeyStatus.ACTIVE);
    }

    @Test
    void the_receipts_of_a_caller_name_his_own_rows() {
        Node node = node(url("H2"));
        UserId user = StoreSamples.user();
        AgentKey key = node.mint(user);
        node.decide(user, key.id(), true);
        rotate(node);

        List<Receipt> receipts = node.record(
                user,
                account -> new Outcome.Recording()
                        .event(StoreSamples.decided(key.id(), true, account.now()))
                        .event(StoreSamples.decided(key.id(), false, account.now())));

        assertThat(receipts).extracting(Receipt::seq).containsExactly(3L, 4L);
        assertThat(node.chain(user))
                .extracting(PolicyEvent::kind)
                .containsExactly(
                        EventKind.GUARDRAIL_DECISION,
                        EventKind.SIGNING_KEY_ROTATED,
                        EventKind.GUARDRAIL_DECISION,
                        EventKind.GUARDRAIL_DECISION);
        assertThat(node.chain(user).get(3).hash()).isEqualTo(receipts.get(1).hash());
    }

    @Test
    void chains_that_do_not_grow_are_led_over_and_then_the_old_key_is_destroyed() throws Exception {
        Node node = node(url("H2"));
        UserId idle = StoreSamples.user();
        UserId busy = StoreSamples.user();
        node.decide(idle, node.mint(idle).id(), true);
        AgentKey key = node.mint(busy);
        node.decide(busy, key.id(), true);
        String first = node.signsWith();
        rotate(node);
        node.decide(busy, key.id(), true);
        SealedKeys keys = node.store().sealedKeys();
        clock.advance(Duration.ofHours(1));

        assertThat(keys.destroyUnused(clock.instant()))
                .describedAs("one chain still needs it")
                .isZero();
        assertThat(sweep(node)).isEqualTo(1);
        assertThat(sweep(node)).isZero();
        assertThat(node.chain(idle)).extracting(PolicyEvent::signingKeyId).containsExactly(first, first);
        assertThat(keys.destroyUnused(clock.instant().minus(Duration.ofDays(1))))
                .describedAs("too early")
                .isZero();
        assertThat(keys.destroyUnused(clock.instant())).isEqualTo(1);
        assertThat(keys.find(first)).isEmpty();
        assertThat(keys.all()).extracting(SigningKey::kid).contains(first);
        assertThat(node.verdict(idle, first).isIntact()).isTrue();
        node.decide(idle, node.mint(idle).id(), true);
        assertThat(node.verdict(idle, first).isIntact()).isTrue();
    }

    @Test
    void a_chain_that_slept_through_two_rotations_goes_to_the_last_key_at_once() {
        Node node = node(url("H2"));
        UserId user = StoreSamples.user();
        AgentKey key = node.mint(user);
        node.decide(user, key.id(), true);
        String first = node.signsWith();
        rotate(node);
        rotate(node);
        node.decide(user, key.id(), true);

        assertThat(node.chain(user)).hasSize(3);
        assertThat(node.chain(user).get(2).signingKeyId()).isEqualTo(node.signsWith());
        assertThat(node.verdict(user, first).isIntact()).isTrue();
    }

    @Test
    void a_node_that_has_not_looked_yet_follows_the_chain_and_never_leads_it_back() {
        String url = url("PostgreSQL");
        Node early = node(url);
        Node late = node(url, new SettableClock(StoreSamples.START));
        UserId user = StoreSamples.user();
        AgentKey key = early.mint(user);
        early.decide(user, key.id(), true);
        String first = early.signsWith();
        rotate(early);
        early.decide(user, key.id(), true);

        assertThat(late.clock().instant())
                .describedAs("its clock is behind")
                .isBefore(early.clock().instant());
        late.decide(user, key.id(), true);

        assertThat(late.chain(user))
                .filteredOn(row -> row.kind() == EventKind.SIGNING_KEY_ROTATED)
                .hasSize(1);
        assertThat(late.chain(user).get(3).signingKeyId()).isEqualTo(early.signsWith());
        assertThat(early.verdict(user, first).isIntact()).isTrue();
    }
}
