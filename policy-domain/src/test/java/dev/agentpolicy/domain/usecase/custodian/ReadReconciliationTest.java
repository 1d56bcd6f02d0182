package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation.ReconciledRequest;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation.Reconciliation;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What was attested beside what a broker did. */
class ReadReconciliationTest extends BrokerHousehold {
    private static final AssetSymbol BTC = new AssetSymbol("BTC");
    private static final AssetSymbol SPY = new AssetSymbol("SPY");
    private final ReadReconciliation read =
            new ReadReconciliation(fixture.store.requestQueue(), fixture.store.fillLog());

    @Test
    void an_order_under_way_has_filled_less_than_was_allowed() {
        long id = accepted("buy 3000.005 BTC crypto");
        assertThat(amounts(one())).isEqualTo("allowed 3000.005 ordered 3000.005 filled 0 deviation -3000.005");

        fixture.broker.fill(orderId(id), "0.04", "30000");
        sync();

        assertThat(amounts(one())).isEqualTo("allowed 3000.005 ordered 3000.005 filled 1200 deviation -1800.005");
        assertThat(one().request()).isEqualTo(fixture.request(id));
        assertThat(one().order()).isEqualTo(fixture.pending(id).order());
    }

    @Test
    void a_completed_request_has_all_its_fills_in_order() {
        long id = accepted("buy 3000 BTC crypto");
        Fill first = fixture.broker.fill(orderId(id), "0.04", "30000");
        Fill second = fixture.broker.fill(orderId(id), "0.06", "30000");
        fixture.broker.end(orderId(id), new OrderState.Filled());

        sync();

        assertThat(amounts(one())).isEqualTo("allowed 3000 ordered 3000 filled 3000 deviation 0");
        assertThat(one().fills()).containsExactly(first, second);
        assertThat(one().order().state()).isEqualTo(new OrderState.Filled());
        assertThat(page(null, 25).unattested()).isEmpty();
    }

    @Test
    void more_than_was_allowed_is_a_deviation_above_0() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.fill(orderId(id), "0.1", "30100");
        fixture.broker.end(orderId(id), new OrderState.Filled());

        sync();

        assertThat(amounts(one())).isEqualTo("allowed 3000 ordered 3000 filled 3010 deviation 10");
    }

    @Test
    void an_order_that_was_taken_back_is_listed_with_what_was_ordered() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.end(orderId(id), new OrderState.Cancelled());
        String order = orderId(id);
        given(fixture.orders.cancel(USER, id));

        assertThat(one().request().reason()).isEqualTo(Rejected.CANCELED);
        assertThat(one().order().clientOrderId()).isEqualTo(order);
        assertThat(one().order().state()).isEqualTo(new OrderState.Cancelled());
        assertThat(amounts(one())).isEqualTo("allowed 3000 ordered 3000 filled 0 deviation -3000");
    }

    @Test
    void an_order_that_the_custodian_ended_unfilled_is_listed_until_the_next_one_and_after_a_rejection() {
        long id = accepted("buy 3000 BTC crypto");
        String first = orderId(id);
        fixture.broker.end(first, new OrderState.Expired());
        sync();

        assertThat(one().order().clientOrderId()).isEqualTo(first);
        given(fixture.attest.accept(USER, id));
        String second = orderId(id);
        assertThat(one().order().clientOrderId()).isEqualTo(second).isNotEqualTo(first);
        fixture.broker.end(second, new OrderState.Rejected("Closed."));
        sync();
        given(fixture.attest.reject(USER, id, "enough"));

        assertThat(one().order().clientOrderId()).isEqualTo(second);
        assertThat(amounts(one())).isEqualTo("allowed 3000 ordered 3000 filled 0 deviation -3000");
    }

    @Test
    void fills_of_an_earlier_order_of_a_request_count_too() {
        long id = accepted("buy 3000 BTC crypto");
        String first = orderId(id);
        fixture.broker.end(first, new OrderState.Expired());
        sync();
        given(fixture.attest.accept(USER, id));
        fixture.broker.traded(first, Action.BUY, BTC, AssetType.CRYPTO, "0.01", "30000");
        fixture.broker.fill(orderId(id), "0.1", "30000");
        fixture.broker.end(orderId(id), new OrderState.Filled());

        sync();

        assertThat(amounts(one())).isEqualTo("allowed 3000 ordered 3000 filled 3300 deviation 300");
        assertThat(one().order().filledUsd()).isEqualTo(Usd.of(3_000));
    }

    @Test
    void requests_that_nobody_accepted_are_not_listed() {
        long rejected = fixture.queued(agent, "buy 100 BTC crypto");
        given(fixture.attest.reject(USER, rejected, "enough"));
        fixture.queued(agent, "buy 100 BTC crypto");

        assertThat(page(null, 25)).isEqualTo(new Reconciliation(List.of(), List.of(), null));
    }

    @Test
    void a_trade_that_nobody_attested_is_listed_with_the_newest_first() {
        Fill earlier = fixture.broker.traded(null, Action.SELL, SPY, AssetType.TRADFI, "1", "550");
        fixture.clock.advance(Duration.ofSeconds(1));
        Fill later = fixture.broker.traded("web-17", Action.BUY, BTC, AssetType.CRYPTO, "0.01", "30000");
        sync();

        Reconciliation found = page(null, 25);

        assertThat(found.unattested()).containsExactly(later, earlier);
        assertThat(found.requests()).isEmpty();
    }

    @Test
    void a_trade_with_the_number_of_a_request_of_another_installation_is_unattested() {
        long id = accepted("buy 3000 BTC crypto");
        Fill foreign =
                fixture.broker.traded("request-" + id + "-1-abc", Action.BUY, BTC, AssetType.CRYPTO, "0.01", "30000");
        sync();

        assertThat(page(null, 25).unattested()).containsExactly(foreign);
        assertThat(one().fills()).isEmpty();
    }

    @Test
    void pages_go_back_to_the_first_request_and_show_the_unattested_fills_on_each() {
        Fill own = fixture.broker.traded(null, Action.SELL, SPY, AssetType.TRADFI, "1", "550");
        sync();
        long a = accepted("buy 100 BTC crypto");
        long b = accepted("buy 200 BTC crypto");
        long c = accepted("buy 300 BTC crypto");
        fixture.broker.fill(orderId(b), "0.01", "30000");
        sync();

        Reconciliation newest = page(null, 2);
        Reconciliation oldest = page(newest.next(), 2);

        assertThat(newest.requests()).extracting(it -> it.request().id()).containsExactly(c, b);
        assertThat(newest.requests()).extracting(ReconciledRequest::filled).containsExactly(Usd.ZERO, Usd.of(300));
        assertThat(oldest.requests()).extracting(it -> it.request().id()).containsExactly(a);
        assertThat(oldest.next()).isNull();
        assertThat(newest.unattested()).isEqualTo(oldest.unattested()).containsExactly(own);
        assertThat(page(null, 3).next()).isNull();
    }

    @Test
    void another_user_sees_nothing_of_it() {
        accepted("buy 3000 BTC crypto");
        fixture.broker.traded(null, Action.SELL, SPY, AssetType.TRADFI, "1", "550");
        sync();

        assertThat(read.read(new UserId(new UUID(0, 99)), null, 25))
                .isEqualTo(new Reconciliation(List.of(), List.of(), null));
    }

    private Reconciliation page(Long before, int limit) {
        return read.read(USER, before, limit);
    }

    /** The only attested request. */
    private ReconciledRequest one() {
        List<ReconciledRequest> all = page(null, 25).requests();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static String amounts(ReconciledRequest request) {
        var order = request.order();
        return "allowed " + request.allowed() + " ordered " + (order == null ? "-" : order.ordered()) + " filled "
                + request.filled() + " deviation " + request.deviation();
    }
}
