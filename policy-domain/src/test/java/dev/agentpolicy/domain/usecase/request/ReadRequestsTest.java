package dev.agentpolicy.domain.usecase.request;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.request.ReadRequests.RequestPage;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReadRequestsTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");
    private final ReadRequests requests = new ReadRequests(fixture.store.requestQueue());

    @Test
    void pages_continue_below_the_last_id_to_the_end() {
        List<Long> ids = queued(7);
        List<Long> read = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        RequestPage page = requests.page(USER, null, null, 3);
        while (page.next() != null) {
            read.addAll(ids(page));
            sizes.add(page.requests().size());
            page = requests.page(USER, null, page.next(), 3);
        }
        read.addAll(ids(page));
        sizes.add(page.requests().size());

        assertThat(read).containsExactlyElementsOf(ids);
        assertThat(sizes).containsExactly(3, 3, 1);
    }

    @Test
    void a_full_page_can_be_the_last() {
        queued(3);

        assertThat(requests.page(USER, null, null, 3).next()).isNull();
        assertThat(requests.page(USER, null, null, 2).next()).isNotNull();
    }

    @Test
    void a_new_request_does_not_shift_later_pages() {
        List<Long> ids = queued(4);
        RequestPage first = requests.page(USER, null, null, 2);
        queued(1);

        assertThat(ids(requests.page(USER, null, first.next(), 2))).isEqualTo(ids.subList(2, 4));
    }

    @Test
    void requests_can_be_filtered_by_status() {
        List<Long> ids = queued(3);
        given(fixture.attest.accept(USER, ids.get(0)));
        given(fixture.attest.reject(USER, ids.get(1), null));

        assertThat(ids(requests.page(USER, RequestStatus.COMPLETED, null, 10))).containsExactly(ids.get(0));
        assertThat(ids(requests.page(USER, RequestStatus.REJECTED, null, 10))).containsExactly(ids.get(1));
        assertThat(ids(requests.page(USER, RequestStatus.PENDING, null, 10))).containsExactly(ids.get(2));
        assertThat(ids(requests.page(USER, null, null, 10))).isEqualTo(ids);
    }

    @Test
    void a_user_sees_only_the_own_requests() {
        long id = queued(1).get(0);
        UserId stranger = new UserId(new UUID(7, 7));

        assertThat(requests.find(USER, id)).contains(fixture.request(id));
        assertThat(requests.find(stranger, id)).isEmpty();
        assertThat(requests.page(stranger, null, null, 10)).isEqualTo(new RequestPage(List.of(), null));
    }

    /** The ids of all requests, newest first. */
    private List<Long> queued(int count) {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(0, fixture.queued(agent, "sell 1 BTC crypto"));
        }
        return ids;
    }

    private static List<Long> ids(RequestPage page) {
        return page.requests().stream().map(ServiceRequest::id).toList();
    }
}
