package dev.agentpolicy.adapter.jdbc.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.StoreContracts;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Order;
import dev.agentpolicy.domain.event.page.SignedPage;
import dev.agentpolicy.domain.port.EventLog.PageWithHead;
import dev.agentpolicy.domain.port.StoreSamples;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A page that was read is given again without reading it, as long as it would be the same. */
public abstract class PageCacheTests extends StoreContracts {
    private UserId user = StoreSamples.user();
    private AgentKeyId key = StoreSamples.key(user).id();

    @BeforeEach
    void sixDecisions() {
        user = StoreSamples.user();
        key = mint(user).id();
        for (int i = 0; i < 6; i++) {
            decide(user, key, true);
        }
    }

    @Test
    void a_page_nobody_has_read_is_not_known() {
        assertThat(known(query(3, Order.ASC))).isEmpty();
        assertThat(known(StoreSamples.user(), query(3, Order.ASC))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void every_page_that_was_read_is_known_with_the_end_of_the_chain(Order order) {
        for (int limit : List.of(1, 3, 6, 7)) {
            EventQuery first = query(limit, order);
            for (EventQuery next = first; next != null; ) {
                PageWithHead read = read(next);
                PageWithHead known = known(next).orElseThrow();

                assertThat(text(known.page())).isEqualTo(text(read.page()));
                assertThat(known.page().nextCursor()).isEqualTo(read.page().nextCursor());
                assertThat(known.head()).isEqualTo(read.head());
                String cursor = read.page().nextCursor();
                next = cursor == null ? null : first.after(cursor).orElseThrow();
            }
        }
    }

    @Test
    void a_chain_that_grows_leaves_pages_alone_that_more_rows_follow() {
        EventQuery oldest = query(3, Order.ASC);
        EventQuery older = query(3, Order.DESC).after(4);
        PageWithHead read = read(oldest);
        read(older);

        decide(user, key, true);

        PageWithHead known = known(oldest).orElseThrow();
        assertThat(text(known.page())).isEqualTo(text(read.page()));
        assertThat(known.head()).isEqualTo(ports().eventLog().head(user));
        assertThat(known.head().seq()).isEqualTo(7);
        assertThat(known(older)).isPresent();
    }

    /** The last is full; only its cursor changes. */
    @Test
    void a_chain_that_grows_changes_the_page_it_ends_with() {
        List<EventQuery> ends =
                List.of(query(7, Order.ASC), query(2, Order.ASC).after(4), query(3, Order.DESC), query(6, Order.ASC));
        ends.forEach(this::read);
        assertThat(ends).allSatisfy(end -> assertThat(known(end)).isPresent());

        decide(user, key, true);

        assertThat(ends).allSatisfy(end -> assertThat(known(end)).isEmpty());
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void a_page_whose_payload_was_erased_is_read_again(Order order) throws SQLException {
        EventQuery all = query(6, order);
        EventQuery others = query(2, Order.ASC).after(4);
        read(all);
        read(others);

        execute("UPDATE policy_event SET payload_canonical = NULL WHERE user_id = ? AND seq = 2", user);

        assertThat(known(all)).isEmpty();
        assertThat(text(read(all).page())).containsOnlyOnce("\"payload\":null");
        assertThat(text(known(all).orElseThrow().page())).containsOnlyOnce("\"payload\":null");
        assertThat(known(others)).isPresent();

        execute("UPDATE policy_event SET payload_canonical = NULL WHERE user_id = ? AND seq IN (2, 3)", user);
        assertThat(known(all)).isEmpty();
    }

    /** As when a database was put back and another chain has grown in its place. */
    @Test
    void a_page_that_ends_with_another_row_is_read_again() throws SQLException {
        EventQuery first = query(3, Order.ASC);
        read(first);

        execute("UPDATE policy_event SET hash = 'another' WHERE user_id = ? AND seq = 3", user);

        assertThat(known(first)).isEmpty();
    }

    @Test
    void rows_that_are_chosen_by_what_is_in_them_are_read_each_time() {
        EventQuery ofKind = new EventQuery(
                3, Order.ASC, Optional.of(EventKind.GUARDRAIL_DECISION), Optional.empty(), OptionalLong.empty());
        EventQuery since =
                new EventQuery(3, Order.ASC, Optional.empty(), Optional.of(StoreSamples.START), OptionalLong.empty());
        read(ofKind);
        read(since);

        assertThat(known(ofKind)).isEmpty();
        assertThat(known(since)).isEmpty();
    }

    private PageWithHead read(EventQuery query) {
        return ports().eventLog().headedPage(user, query);
    }

    private Optional<PageWithHead> known(EventQuery query) {
        return known(user, query);
    }

    private Optional<PageWithHead> known(UserId whose, EventQuery query) {
        return ports().eventLog().cachedPage(whose, query).toCompletableFuture().join();
    }

    private static EventQuery query(int limit, Order order) {
        return new EventQuery(limit, order, Optional.empty(), Optional.empty(), OptionalLong.empty());
    }

    private static String text(SignedPage page) {
        return new String(page.rows(), StandardCharsets.UTF_8);
    }
}
