package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of {@link EventLog} for a chain that is longer than all caches and partial indexes of a store. */
public interface LongChainContract extends StoreContract {

    @Test
    default void filters_find_the_right_rows_while_a_chain_grows() {
        Random random = new Random(20_261_123);
        UserId user = StoreSamples.user();
        List<AgentKey> keys = List.of(mint(user), mint(user), mint(user));
        for (int round = 0; round < 24; round++) {
            grow(user, keys, random);
            assertFiltered(user, keys, 1 + random.nextInt(40));
        }
        assertThat(verify(user).isIntact()).isTrue();
    }

    /** Makes up to twenty changes at once, most of them decisions. */
    private void grow(UserId user, List<AgentKey> keys, Random random) {
        List<CompletionStage<?>> changes = new ArrayList<>();
        for (int i = random.nextInt(20); i >= 0; i--) {
            AgentKey key = keys.get(Math.min(2, random.nextInt(8)));
            boolean isRare = random.nextInt(12) == 0;
            EventKind kind = random.nextBoolean() ? EventKind.KEY_REVOKED : EventKind.KEY_ROTATED;
            changes.add(ports().accounts().change(user, StoreSamples.change(account -> {
                EventDraft draft = isRare
                        ? EventPayloads.key(kind, key)
                        : StoreSamples.decided(key.id(), random.nextInt(9) > 0, account.now());
                return new Recording().event(draft).answer(receipts -> receipts);
            })));
        }
        changes.forEach(this::answer);
    }

    private void assertFiltered(UserId user, List<AgentKey> keys, int limit) {
        List<PolicyEvent> chain = chain(user);
        for (Boolean allowed : Arrays.asList(null, true, false)) {
            assertDecisions(user, chain, limit, null, allowed);
            keys.forEach(key -> assertDecisions(user, chain, limit, key.id(), allowed));
        }
        for (EventKind kind : List.of(EventKind.KEY_REVOKED, EventKind.KEY_ROTATED, EventKind.KEY_MINTED)) {
            for (Direction order : Direction.values()) {
                EventQuery query =
                        new EventQuery(limit, order, Optional.of(kind), Optional.empty(), OptionalLong.empty());
                assertThat(pages(user, query)).isEqualTo(inOrder(chain, kind, order));
            }
        }
    }

    private void assertDecisions(
            UserId user, List<PolicyEvent> chain, int limit, @Nullable AgentKeyId key, @Nullable Boolean allowed) {
        List<PolicyEvent> wanted = inOrder(chain, EventKind.GUARDRAIL_DECISION, Direction.DESC).stream()
                .map(event -> LoggedDecision.of(event).orElseThrow())
                .filter(it -> key == null || it.decision().agentKeyId().equals(key))
                .filter(it -> allowed == null || it.decision().decision().isAllowed() == allowed)
                .limit(limit)
                .map(LoggedDecision::event)
                .toList();
        assertThat(ports().eventLog().decisions(user, new AuditQuery(limit, key, allowed, null)))
                .extracting(LoggedDecision::event)
                .isEqualTo(wanted);
    }

    private static List<PolicyEvent> inOrder(List<PolicyEvent> chain, EventKind kind, Direction order) {
        List<PolicyEvent> found =
                new ArrayList<>(chain.stream().filter(it -> it.kind() == kind).toList());
        if (order == Direction.DESC) {
            Collections.reverse(found);
        }
        return found;
    }
}
