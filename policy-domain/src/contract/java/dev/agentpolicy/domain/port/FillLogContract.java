package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of {@link FillLog}. */
public interface FillLogContract extends StoreContract {

    @Test
    default void a_fill_is_read_as_it_was_recorded() {
        UserId user = StoreSamples.user();
        RecordedFill ours = fill("fill-1", 7L);
        RecordedFill own = new RecordedFill(StoreSamples.fill("fill é 2", null), null);
        record(user, account -> new Recording().fill(ours).fill(own));

        FillLog log = ports().fillLog();
        assertThat(log.find(user, "paper", "fill-1")).contains(ours);
        assertThat(log.find(user, "paper", "fill é 2")).contains(own);
        assertThat(log.find(user, "paper", "fill-3")).isEmpty();
        assertThat(log.find(user, "other", "fill-1")).isEmpty();
        assertThat(log.find(StoreSamples.user(), "paper", "fill-1")).isEmpty();
    }

    @Test
    default void the_fills_of_requests_are_read_in_the_order_in_which_they_were_recorded() {
        UserId user = StoreSamples.user();
        List<RecordedFill> fills = IntStream.range(0, 30)
                .mapToObj(i -> fill("fill-" + (99 - i), i % 3 == 0 ? null : (long) i % 3))
                .toList();
        for (RecordedFill each : fills.subList(0, 10)) {
            record(user, account -> new Recording().fill(each));
        }
        record(user, account -> {
            Recording recording = new Recording();
            fills.subList(10, 30).forEach(recording::fill);
            return recording;
        });
        record(StoreSamples.user(), account -> new Recording().fill(fill("fill-1", 1L)));

        FillLog log = ports().fillLog();
        assertThat(log.ofRequests(user, List.of(1L, 2L, 5L)))
                .containsExactlyElementsOf(
                        fills.stream().filter(it -> it.requestId() != null).toList());
        assertThat(log.ofRequests(user, List.of(2L)))
                .hasSize(10)
                .allSatisfy(it -> assertThat(it.requestId()).isEqualTo(2));
        assertThat(log.ofRequests(user, List.of())).isEmpty();
    }

    @Test
    default void fills_without_a_request_are_read_newest_first() {
        UserId user = StoreSamples.user();
        record(user, account -> new Recording().fill(fill("9", null)).fill(fill("8", 1L)));
        record(user, account -> new Recording().fill(fill("7", null)).fill(fill("6", null)));

        FillLog log = ports().fillLog();
        assertThat(log.withoutRequest(user, 10)).containsExactly(fill("6", null), fill("7", null), fill("9", null));
        assertThat(log.withoutRequest(user, 2)).containsExactly(fill("6", null), fill("7", null));
        assertThat(log.withoutRequest(StoreSamples.user(), 2)).isEmpty();
    }

    @Test
    default void an_asset_is_traded_once_a_fill_of_it_is_recorded() {
        UserId user = StoreSamples.user();
        RecordedFill recorded = fill("1", 1L);
        AssetSymbol symbol = recorded.fill().symbol();
        assertThat(ports().fillLog().isTraded(user, symbol)).isFalse();

        record(user, account -> new Recording().fill(recorded));
        assertThat(ports().fillLog().isTraded(user, symbol)).isTrue();
        assertThat(ports().fillLog().isTraded(user, new AssetSymbol("OTHER"))).isFalse();
        assertThat(ports().fillLog().isTraded(StoreSamples.user(), symbol)).isFalse();
    }

    private static RecordedFill fill(String id, @Nullable Long request) {
        return new RecordedFill(StoreSamples.fill(id, request == null ? null : "order-" + request), request);
    }
}
