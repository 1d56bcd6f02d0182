package dev.agentpolicy.domain.event.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.TestChain;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventPageTest {
    private static final List<PolicyEvent> ROWS = TestChain.ofDecisions(3).rows();
    private static final Optional<EventKind> DECISIONS = Optional.of(EventKind.GUARDRAIL_DECISION);
    private static final Optional<Instant> SINCE = Optional.of(TestChain.START);

    @Test
    void the_last_page_has_no_cursor_even_when_it_is_full() {
        assertThat(EventPage.of(query(3), ROWS)).isEqualTo(new EventPage(ROWS, null));
        assertThat(EventPage.of(query(3), List.of())).isEqualTo(new EventPage(List.of(), null));
    }

    @Test
    void a_page_that_is_not_the_last_ends_at_its_limit_and_has_a_cursor() {
        EventPage page = EventPage.of(query(2), ROWS);

        assertThat(page.rows()).isEqualTo(ROWS.subList(0, 2));
        assertThat(query(2).after(page.nextCursor())).contains(query(2).after(2));
    }

    @Test
    void a_cursor_is_refused_by_a_query_of_another_order_or_filter() {
        EventQuery query = new EventQuery(2, Direction.ASC, DECISIONS, SINCE, OptionalLong.empty());
        String cursor = EventPage.of(query, ROWS).nextCursor();

        assertThat(query.after(cursor)).isPresent();
        assertThat(new EventQuery(500, Direction.ASC, DECISIONS, SINCE, OptionalLong.empty()).after(cursor))
                .isPresent();
        for (EventQuery other : List.of(
                new EventQuery(2, Direction.DESC, DECISIONS, SINCE, OptionalLong.empty()),
                new EventQuery(2, Direction.ASC, Optional.empty(), SINCE, OptionalLong.empty()),
                new EventQuery(2, Direction.ASC, DECISIONS, Optional.empty(), OptionalLong.empty()),
                new EventQuery(2, Direction.ASC, DECISIONS, Optional.of(Instant.EPOCH), OptionalLong.empty()))) {
            assertThat(other.after(cursor)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2",
                "!",
                "MXxhc2N8fHwy=",
                "MXxhc2N8fHw",
                "MXxhc2N8fHwwMg",
                "MXxhc2N8fHwtMg",
                "MXxhc2N8fHwyMw=="
            })
    void a_broken_cursor_is_refused(String cursor) {
        assertThat(query(2).after(cursor)).isEmpty();
    }

    @Test
    void a_page_has_one_to_five_hundred_rows() {
        assertThat(query(1).limit()).isEqualTo(1);
        assertThat(query(500).limit()).isEqualTo(500);
        assertThatIllegalArgumentException().isThrownBy(() -> query(0));
        assertThatIllegalArgumentException().isThrownBy(() -> query(501));
        assertThat(EventQuery.all().limit()).isEqualTo(100);
    }

    private static EventQuery query(int limit) {
        return new EventQuery(limit, Direction.ASC, Optional.empty(), Optional.empty(), OptionalLong.empty());
    }
}
