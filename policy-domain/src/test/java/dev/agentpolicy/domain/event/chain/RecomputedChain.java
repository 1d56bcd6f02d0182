package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.event.recompute.Recomputation.Difference;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.usecase.RandomHistory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A chain of random decisions, and the differences after changes. */
public abstract class RecomputedChain {
    public static final long SEED = 20_261_122L;
    public static final EventSigner UNSIGNED = new EventSigner() {
        @Override
        public String keyId() {
            return TestKey.ONE.keyId();
        }

        @Override
        public String sign(String message) {
            return "A".repeat(86);
        }
    };
    public static final List<PolicyEvent> CHAIN = chain(SEED, 300, 4, signer(TestKey.ONE));

    public static Map<String, @Nullable Object> changed(Document document, String name, Object value) {
        Map<String, @Nullable Object> members = new HashMap<>(document.members());
        members.put(name, value);
        return members;
    }

    public static UnaryOperator<Map<String, @Nullable Object>> with(String name, @Nullable Object value) {
        return members -> {
            members.put(name, value);
            return members;
        };
    }

    /** The difference of the chain after one payload was changed and everything was signed again. */
    public static String found(PolicyEvent row, UnaryOperator<Map<String, @Nullable Object>> change) {
        Optional<Difference> difference = differences(Recomputation.begin(), changed(row, UNSIGNED::sign, change));
        assertThat(difference).hasValueSatisfying(it -> assertThat(it.seq()).isEqualTo(row.seq()));
        return difference.orElseThrow().what();
    }

    /** The chain with one payload changed, and hashed and signed again from there on. */
    public static List<PolicyEvent> changed(
            PolicyEvent from, UnaryOperator<String> sign, UnaryOperator<Map<String, @Nullable Object>> change) {
        List<PolicyEvent> rows = new ArrayList<>();
        ChainHead head = ChainHead.genesis(from.userId());
        for (PolicyEvent row : CHAIN) {
            Map<String, @Nullable Object> members = new HashMap<>(payload(row).members());
            String salt = (String) members.get("salt");
            Map<String, @Nullable Object> said = row.seq() == from.seq() ? change.apply(members) : members;
            said.remove("salt");
            PolicyEvent next = EventChain.next(
                    head,
                    new EventDraft(row.kind(), said),
                    row.eventId(),
                    salt,
                    row.createdAt(),
                    TestKey.ONE.keyId(),
                    row.seq() < from.seq() ? any -> row.signature() : sign);
            rows.add(next);
            head = ChainHead.after(next);
        }
        return rows;
    }

    public static Optional<Difference> differences(Recomputation recomputation, List<PolicyEvent> rows) {
        for (PolicyEvent row : rows) {
            Optional<Difference> difference = recomputation.row(row);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    public static List<PolicyEvent> chain(long seed, int decisions, int versions, EventSigner signer) {
        SettableClock clock = new SettableClock(TestChain.START);
        InMemoryStore store = new InMemoryStore(clock, signer);
        new RandomHistory(store, clock, seed).live(TestChain.USER, decisions, versions);
        List<PolicyEvent> rows = new ArrayList<>();
        EventQuery query = EventQuery.all();
        EventPage page = store.eventLog().page(TestChain.USER, query);
        rows.addAll(page.rows());
        while (page.nextCursor() != null) {
            page = store.eventLog()
                    .page(TestChain.USER, query.after(page.nextCursor()).orElseThrow());
            rows.addAll(page.rows());
        }
        return rows;
    }

    static EventSigner signer(TestKey key) {
        return new EventSigner() {
            @Override
            public String keyId() {
                return key.keyId();
            }

            @Override
            public String sign(String message) {
                return key.sign(message);
            }
        };
    }

    public static PolicyEvent first(Predicate<PolicyEvent> wanted) {
        return CHAIN.stream().filter(wanted).findFirst().orElseThrow();
    }

    public static boolean decision(PolicyEvent row) {
        return row.kind() == EventKind.GUARDRAIL_DECISION;
    }

    public static Document payload(PolicyEvent row) {
        return CanonicalForm.read(row.payload());
    }

    public static long count(List<PolicyEvent> rows, EventKind kind) {
        return rows.stream().filter(row -> row.kind() == kind).count();
    }
}
