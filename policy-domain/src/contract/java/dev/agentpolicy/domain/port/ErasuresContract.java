package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link Erasures}. */
public interface ErasuresContract extends StoreContract {

    @Test
    default void an_erased_row_keeps_its_place_and_its_page_has_the_entry() {
        UserId user = decisions(3);
        List<PolicyEvent> before = chain(user);
        Erasure entry = ofRow(before.get(1), "Typed a \"password\" as rationale, élan 🙂");

        assertThat(ports().erasures().erase(entry)).isEqualTo(1);

        EventPage page = ports().eventLog().page(user, EventQuery.all());
        assertThat(page.erasures()).containsExactly(entry);
        assertThat(page.rows()).extracting(PolicyEvent::hash).containsExactlyElementsOf(hashes(before));
        assertThat(page.rows()).extracting(row -> row.payload() == null).containsExactly(false, true, false);
        assertThat(page.rows().get(0)).isEqualTo(before.get(0));
        String written =
                ports().eventLog().headedPage(user, EventQuery.all()).page().erasures();
        assertThat(written).contains("\"seq\":2", entry.signature(), "\\\"password\\\"");
    }

    @Test
    default void the_version_of_a_chain_changes_with_each_row_and_each_erasure() {
        UserId user = decisions(2);
        EventLog log = ports().eventLog();
        String before = log.version(user).digest();
        assertThat(log.version(user).digest()).isEqualTo(before);
        assertThat(log.version(decisions(2)).digest()).isNotEqualTo(before);

        ports().erasures().erase(ofRow(chain(user).get(0), "first"));
        String afterOne = log.version(user).digest();
        ports().erasures().erase(ofRow(chain(user).get(1), "second"));

        assertThat(List.of(before, afterOne, log.version(user).digest())).doesNotHaveDuplicates();
    }

    @Test
    default void a_row_is_erased_once_and_keeps_its_first_entry() {
        UserId user = decisions(1);
        PolicyEvent row = chain(user).get(0);
        Erasure first = ofRow(row, "first");

        assertThat(ports().erasures().erase(first)).isEqualTo(1);
        assertThat(ports().erasures().erase(ofRow(row, "second"))).isZero();

        assertThat(ports().eventLog().page(user, EventQuery.all()).erasures()).containsExactly(first);
    }

    @Test
    default void an_entry_replaces_only_the_one_for_the_same_row() {
        UserId user = decisions(3);
        List<PolicyEvent> rows = chain(user);
        PolicyEvent last = rows.get(2);
        Erasure first = ofRow(rows.get(0), "first");
        Erasure third = ofRow(last, "third");
        Erasure all = of(Erasure.Extent.ACCOUNT, user, last.seq(), last.hash());
        List.of(first, third, all).forEach(ports().erasures()::erase);
        JdkSigner other = new JdkSigner();
        Erasure anew = third.signedAnew(other.keyId(), other::sign);
        Erasure never = ofRow(rows.get(1), "never kept").signedAnew(other.keyId(), other::sign);

        ports().erasures().replace(List.of());
        ports().erasures().replace(List.of(anew, never));

        assertThat(ports().eventLog().page(user, EventQuery.all()).erasures())
                .containsExactlyInAnyOrder(first, anew, all);
        assertThat(ports().erasures().signedBy(other.keyId())).containsExactly(anew);
        assertThat(ports().erasures().signedBy(TestKey.ONE.keyId()))
                .contains(first, all)
                .doesNotContain(third);
        assertThat(ports().erasures().signedBy("x".repeat(43))).isEmpty();
    }

    @Test
    default void an_entry_with_another_hash_erases_nothing_and_is_not_stored() {
        UserId user = decisions(2);
        List<PolicyEvent> rows = chain(user);
        PolicyEvent other = chain(decisions(1)).get(0);

        assertThat(ports().erasures().erase(of(Erasure.Extent.ROW, user, 1, other.hash())))
                .isZero();
        assertThat(ports().erasures().erase(of(Erasure.Extent.ACCOUNT, user, 2, other.hash())))
                .isZero();
        assertThat(ports().erasures().erase(of(Erasure.Extent.ROW, user, 3, other.hash())))
                .isZero();

        assertThat(chain(user)).isEqualTo(rows);
        assertThat(ports().eventLog().page(user, EventQuery.all()).erasures()).isEmpty();
    }

    @Test
    default void a_row_that_others_are_verified_by_is_not_erased_alone() {
        UserId user = everyKind();
        for (PolicyEvent row : chain(user)) {
            boolean mayBe = Erasure.Extent.ROW.mayErase(row.kind());
            assertThat(ports().erasures().erase(ofRow(row, "of each kind")))
                    .describedAs(row.kind().wireName())
                    .isEqualTo(mayBe ? 1 : 0);
        }
        assertThat(chain(user))
                .filteredOn(row -> row.payload() == null)
                .extracting(PolicyEvent::kind)
                .containsExactly(EventKind.GUARDRAIL_DECISION);
    }

    @Test
    default void one_entry_erases_all_payloads_of_an_account_except_key_rotations() {
        UserId user = everyKind();
        UserId other = decisions(1);
        List<PolicyEvent> before = chain(user);
        PolicyEvent last = before.get(before.size() - 1);
        Erasure entry = of(Erasure.Extent.ACCOUNT, user, last.seq(), last.hash());

        assertThat(ports().erasures().erase(entry)).isEqualTo(before.size() - 1);
        assertThat(ports().erasures().erase(entry)).isZero();
        decide(user, StoreSamples.key(user).id(), true);

        List<PolicyEvent> after = chain(user);
        assertThat(after)
                .extracting(PolicyEvent::hash)
                .startsWith(hashes(before).toArray(String[]::new));
        assertThat(after)
                .filteredOn(row -> row.payload() != null)
                .extracting(PolicyEvent::kind)
                .containsExactly(EventKind.SIGNING_KEY_ROTATED, EventKind.GUARDRAIL_DECISION);
        assertThat(ports().eventLog().page(user, EventQuery.all()).erasures()).containsExactly(entry);
        assertThat(chain(other)).extracting(PolicyEvent::payload).doesNotContainNull();
    }

    @Test
    default void each_page_has_the_entries_of_its_own_rows() {
        UserId user = decisions(7);
        List<PolicyEvent> rows = chain(user);
        Erasure second = ofRow(rows.get(1), "second");
        Erasure fifth = ofRow(rows.get(4), "fifth");
        ports().erasures().erase(fifth);
        ports().erasures().erase(second);

        assertThat(pageAfter(user, 0).erasures()).containsExactly(second);
        assertThat(pageAfter(user, 2).erasures()).containsExactly(fifth);
        assertThat(pageAfter(user, 5).erasures()).isEmpty();
        assertThat(ports().eventLog().page(user, query(7, Direction.DESC)).erasures())
                .containsExactly(second, fifth);

        Erasure all = of(Erasure.Extent.ACCOUNT, user, 6, rows.get(5).hash());
        assertThat(ports().erasures().erase(all)).isEqualTo(4);
        assertThat(pageAfter(user, 0).erasures()).containsExactly(second, all);
        assertThat(pageAfter(user, 5).erasures()).containsExactly(all);
        assertThat(pageAfter(user, 6).erasures()).isEmpty();
    }

    @Test
    default void an_erased_decision_is_left_out_of_the_audit_feed_but_counts_towards_the_limit() {
        UserId user = StoreSamples.user();
        AgentKeyId key = mint(user).id();
        for (int i = 0; i < 4; i++) {
            decide(user, key, i % 2 == 0);
        }
        EventLog log = ports().eventLog();
        assertThat(seqs(log.decisions(user, AuditQuery.latest(3)))).containsExactly(4L, 3L, 2L);
        ports().erasures().erase(ofRow(chain(user).get(2), "third"));

        assertThat(seqs(log.decisions(user, AuditQuery.latest(3)))).containsExactly(4L, 2L);
        assertThat(log.latest(user, 3).thenApply(ErasuresContract::seqs))
                .succeedsWithin(Duration.ofSeconds(10))
                .isEqualTo(List.of(4L, 2L));
        assertThat(seqs(log.decisions(user, new AuditQuery(2, key, true, null))))
                .containsExactly(1L);
        assertThat(seqs(log.decisions(user, new AuditQuery(4, null, null, clock().instant()))))
                .isEmpty();
    }

    @Test
    default void rows_can_be_added_while_others_are_erased() {
        UserId user = decisions(20);
        List<PolicyEvent> rows = chain(user);
        AgentKeyId key = StoreSamples.key(user).id();
        CompletableFuture<Void> adding =
                CompletableFuture.runAsync(() -> IntStream.range(0, 30).forEach(i -> decide(user, key, true)));
        int erased = rows.stream()
                .mapToInt(row -> ports().erasures().erase(ofRow(row, "one by one")))
                .sum();
        adding.join();

        EventPage page = ports().eventLog().page(user, EventQuery.all());
        assertThat(erased).isEqualTo(20);
        assertThat(page.erasures())
                .extracting(Erasure::seq)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 20).boxed().toList());
        assertThat(page.rows())
                .hasSize(50)
                .allSatisfy(row -> assertThat(row.payload() == null).isEqualTo(row.seq() <= 20));
        assertThat(page.rows())
                .extracting(PolicyEvent::hash)
                .startsWith(hashes(rows).toArray(String[]::new));
    }

    /** A chain with a decision, a key and a change of the signing key. */
    private UserId everyKind() {
        UserId user = decisions(1);
        record(
                user,
                account -> new Recording().event(EventPayloads.key(EventKind.KEY_REVOKED, StoreSamples.key(user))));
        record(
                user,
                account ->
                        new Recording().event(new EventDraft(EventKind.SIGNING_KEY_ROTATED, Map.of("newKeyId", "x"))));
        return user;
    }

    private UserId decisions(int rows) {
        UserId user = StoreSamples.user();
        AgentKeyId key = StoreSamples.key(user).id();
        for (int i = 0; i < rows; i++) {
            decide(user, key, true);
        }
        return user;
    }

    private EventPage pageAfter(UserId user, long seq) {
        return ports().eventLog().page(user, query(3, Direction.ASC).after(seq));
    }

    private static EventQuery query(int limit, Direction order) {
        return new EventQuery(limit, order, Optional.empty(), Optional.empty(), OptionalLong.empty());
    }

    private Erasure ofRow(PolicyEvent row, String reason) {
        return Erasure.ofRow(
                row.userId(), row.seq(), row.hash(), clock().instant(), reason, TestKey.ONE.keyId(), TestKey.ONE::sign);
    }

    private Erasure of(Erasure.Extent scope, UserId user, long seq, String hash) {
        return scope == Erasure.Extent.ROW
                ? Erasure.ofRow(user, seq, hash, clock().instant(), "a row", TestKey.ONE.keyId(), TestKey.ONE::sign)
                : Erasure.ofAccount(
                        user, seq, hash, clock().instant(), "all rows", TestKey.ONE.keyId(), TestKey.ONE::sign);
    }

    private static List<String> hashes(List<PolicyEvent> rows) {
        return rows.stream().map(PolicyEvent::hash).toList();
    }

    private static List<Long> seqs(List<LoggedDecision> decisions) {
        return decisions.stream().map(logged -> logged.event().seq()).toList();
    }
}
