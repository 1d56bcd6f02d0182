package dev.agentpolicy.adapter.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The progress of a request's execution, in its only member {@code execution}. */
class RequestJsonTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.000001Z");

    private final Pending pending = Pending.of(StoreSamples.proposal(
            7, StoreSamples.user(), StoreSamples.key(StoreSamples.user()).id(), NOW, NOW.plus(Duration.ofDays(7))));

    @Test
    void a_request_that_was_not_accepted_has_no_execution() {
        assertThat(execution(pending)).isEqualTo("null");
    }

    @Test
    void an_accepted_request_is_in_progress_with_nothing_filled() {
        Pending accepted = accepted(pending);

        assertThat(execution(accepted))
                .isEqualTo("{\"status\":\"in_progress\",\"custodian\":\"broker\",\"clientOrderId\":\""
                        + order(accepted).clientOrderId() + "\",\"externalId\":null,\"state\":\"sent\",\"orderedUsd\":"
                        + order(accepted).ordered()
                        + ",\"quantity\":0,\"price\":null,\"amountUsd\":0,\"executedAt\":null,"
                        + "\"cancelRequested\":false,\"error\":null}");
    }

    @Test
    void a_partly_filled_order_shows_its_average_price_and_that_the_user_wants_it_back() {
        Pending partly =
                accepted(pending).plus(List.of(fill("1", "2"), fill("3", "4"))).cancelRequested(NOW);
        ServiceRequest reported = reported(partly, new OrderState.PartiallyFilled());

        assertThat(execution(reported))
                .contains("\"status\":\"in_progress\",")
                .contains("\"externalId\":\"order-1\",\"state\":\"partially_filled\",")
                .contains(
                        "\"quantity\":4,\"price\":3.5,\"amountUsd\":14,\"executedAt\":\"2026-11-21T12:00:00.000001Z\"")
                .endsWith("\"cancelRequested\":true,\"error\":null}");
    }

    @Test
    void an_order_that_was_filled_is_filled_and_one_that_ended_with_a_part_is_partially_filled() {
        Pending filled = accepted(pending).plus(List.of(fill("1", "2"), fill("3", "4")));

        assertThat(execution(reported(filled, new OrderState.Filled())))
                .startsWith("{\"status\":\"filled\",\"custodian\":\"broker\",")
                .contains("\"state\":\"filled\",");
        assertThat(execution(reported(filled, new OrderState.Cancelled())))
                .startsWith("{\"status\":\"partially_filled\",")
                .contains("\"state\":\"cancelled\",")
                .endsWith("\"error\":null}");
        assertThat(execution(reported(filled, new OrderState.Rejected("The asset was halted."))))
                .startsWith("{\"status\":\"partially_filled\",")
                .endsWith("\"error\":\"The asset was halted.\"}");
    }

    @Test
    void a_request_whose_order_was_refused_has_failed() {
        assertThat(execution(accepted(pending).notExecuted("The market is closed.")))
                .isEqualTo("{\"status\":\"failed\",\"error\":\"The market is closed.\"}");
    }

    @Test
    void a_request_accepted_again_after_a_failure_is_in_progress_with_another_order() {
        Pending first = accepted(pending);
        Pending again = accepted(first.notExecuted("The market is closed."));

        assertThat(execution(again)).startsWith("{\"status\":\"in_progress\",");
        assertThat(order(again).clientOrderId()).isNotEqualTo(order(first).clientOrderId());
    }

    @Test
    void a_request_rejected_after_a_failure_has_no_execution() {
        assertThat(execution(accepted(pending).notExecuted("closed").rejected("enough", NOW)))
                .isEqualTo("null");
    }

    private static Pending accepted(Pending request) {
        return request.accepted("broker", CustodianKind.ALPACA, Fraction.of("0.01"), NOW);
    }

    private static OrderAttempt order(Pending request) {
        OrderAttempt order = request.order();
        assertThat(order).isNotNull();
        return order;
    }

    private static ServiceRequest reported(Pending request, OrderState state) {
        OrderAttempt order = order(request);
        OrderReport report = new OrderReport(order.clientOrderId(), "order-1", state, order.quantity());
        return request.with(order.reported(report), NOW);
    }

    private Fill fill(String quantity, String price) {
        Trade trade = pending.proposal().trade();
        BigDecimal units = new BigDecimal(quantity);
        Usd unitPrice = new Usd(new BigDecimal(price));
        return new Fill(
                "broker",
                "fill-" + quantity,
                null,
                trade.action(),
                trade.asset(),
                trade.assetType(),
                units,
                unitPrice,
                new Usd(units.multiply(unitPrice.value())),
                NOW);
    }

    /** The last member of the request. */
    private static String execution(ServiceRequest request) {
        byte[] json = JsonWriter.object(out -> RequestJson.write(out, request));
        String text = new String(json, StandardCharsets.UTF_8);
        String name = "\"execution\":";
        return text.substring(text.indexOf(name) + name.length(), text.length() - 1);
    }
}
