package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The contract of {@link SyncSchedule}. */
public interface SyncScheduleContract {
    Instant NOW = StoreSamples.START;
    Duration LEASE = Duration.ofMinutes(2);
    Instant NEXT = NOW.plusSeconds(60);
    int PLENTY = 10_000;
    UUID ONE = new UUID(0, 1);
    UUID OTHER = new UUID(0, 2);

    SyncSchedule schedule();

    /** The same schedule on another node. */
    SyncSchedule otherNode();

    /** Stores the credentials of a custodian at {@link #NOW}, which is due from then on. */
    void connect(CustodianRef custodian);

    @Test
    default void a_custodian_is_due_when_it_is_connected_and_then_at_the_next_time() {
        CustodianRef custodian = connected();

        assertThat(claim(ONE, NOW)).contains(custodian);
        assertThat(schedule().release(ONE, custodian)).isTrue();
        assertThat(claim(ONE, NEXT.minusNanos(1_000))).doesNotContain(custodian);
        assertThat(claim(ONE, NEXT)).contains(custodian);
    }

    @Test
    default void a_custodian_that_a_node_syncs_is_not_given_to_another_until_the_lease_ends() {
        CustodianRef custodian = connected();
        claim(ONE, NOW);

        assertThat(claim(OTHER, NOW.plus(LEASE).minusNanos(1_000))).doesNotContain(custodian);
        assertThat(claim(OTHER, NOW.plus(LEASE))).contains(custodian);
        assertThat(schedule().release(ONE, custodian)).isFalse();
        assertThat(claim(ONE, NOW.plus(LEASE).plusSeconds(61))).doesNotContain(custodian);
        assertThat(otherNode().release(OTHER, custodian)).isTrue();
        assertThat(claim(ONE, NOW.plus(LEASE).plusSeconds(61))).contains(custodian);
    }

    @Test
    default void the_longest_due_are_taken_first() {
        CustodianRef late = connected();
        CustodianRef early = connected();
        schedule().claim(ONE, NOW, LEASE, NEXT, PLENTY);
        schedule().release(ONE, late);
        schedule().release(ONE, early);
        schedule().sooner(early, NOW.minusSeconds(3_600));
        schedule().sooner(late, NOW.minusSeconds(1_800));

        assertThat(schedule().claim(ONE, NOW, LEASE, NEXT, 1)).containsExactly(early);
        assertThat(schedule().claim(OTHER, NOW, LEASE, NEXT, 1)).containsExactly(late);
    }

    @Test
    default void a_custodian_is_made_due_sooner_but_never_later() {
        CustodianRef custodian = connected();
        claim(ONE, NOW);
        schedule().release(ONE, custodian);

        assertThat(otherNode().sooner(custodian, NEXT.plusSeconds(1))).isFalse();
        assertThat(otherNode().sooner(custodian, NOW.plusSeconds(2))).isTrue();
        assertThat(claim(ONE, NOW.plusSeconds(1))).doesNotContain(custodian);
        assertThat(claim(ONE, NOW.plusSeconds(2))).contains(custodian);
        assertThat(schedule().sooner(new CustodianRef(StoreSamples.user(), "none"), NOW))
                .isFalse();
    }

    /** Otherwise the end of a sync would be followed by another one for nothing. */
    @Test
    default void all_are_made_due_but_those_that_a_node_syncs() {
        CustodianRef synced = connected();
        CustodianRef free = connected();
        claim(ONE, NOW);
        schedule().release(ONE, free);

        schedule().allDue(NOW.plusSeconds(1));

        schedule().release(ONE, synced);
        assertThat(claim(ONE, NOW.plusSeconds(1))).contains(free).doesNotContain(synced);
    }

    @Test
    default void of_two_nodes_that_claim_at_once_each_gets_what_the_other_does_not() throws Exception {
        List<CustodianRef> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(connected());
        }
        ExecutorService both = Executors.newFixedThreadPool(4);
        List<CustodianRef> taken = new ArrayList<>();
        try {
            List<Callable<List<CustodianRef>>> claims = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                UUID node = i % 2 == 0 ? ONE : OTHER;
                SyncSchedule schedule = i % 2 == 0 ? schedule() : otherNode();
                claims.add(() -> schedule.claim(node, NOW, LEASE, NEXT, 3));
            }
            for (Future<List<CustodianRef>> done : both.invokeAll(claims)) {
                taken.addAll(done.get());
            }
        } finally {
            both.shutdownNow();
        }
        taken.addAll(claim(ONE, NOW));

        assertThat(taken).containsAll(all).doesNotHaveDuplicates();
    }

    private CustodianRef connected() {
        CustodianRef custodian = new CustodianRef(StoreSamples.user(), "broker");
        connect(custodian);
        return custodian;
    }

    private List<CustodianRef> claim(UUID node, Instant now) {
        return (node.equals(ONE) ? schedule() : otherNode()).claim(node, now, LEASE, now.plusSeconds(60), PLENTY);
    }
}
