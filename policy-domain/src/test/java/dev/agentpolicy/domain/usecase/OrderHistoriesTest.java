package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.sample.Seeded;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.custodian.ConnectRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Laws that hold after any order of acceptances, fills, cancellations, outages and syncs. */
class OrderHistoriesTest {

    @Test
    void every_fill_is_recorded_once_and_the_tallies_follow_from_the_chain() {
        Seeded.times(30, random -> new History(random).live(40));
    }

    private static final class History {
        private final UseCaseFixture fixture = new UseCaseFixture();
        private final Random random;
        private final Caller agent;
        private final List<Fill> fills = new ArrayList<>();

        History(Random random) {
            this.random = random;
            this.agent = fixture.agent("{}");
            given(fixture.amendIps.put(USER, SampleValues.plainIps()));
            fixture.broker
                    .cash(Usd.of(150_000))
                    .position("BTC", AssetType.CRYPTO, "10", "30000")
                    .position("SPY", AssetType.TRADFI, "1000", "550");
            ConnectRequest request = new ConnectRequest(
                    CustodianKind.ALPACA, "Alpaca", new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret"));
            given(fixture.connect.connect(USER, "alpaca", request));
        }

        void live(int steps) {
            for (int i = 0; i < steps; i++) {
                fixture.clock.advance(Duration.ofSeconds(random.nextInt(20)));
                step();
                fixture.validated(agent, "buy 1 BTC crypto");
            }
            end();
        }

        private void step() {
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> accept();
                case 3, 4 -> fill();
                case 5 -> finish();
                case 6 -> cancel();
                case 7 -> {
                    fixture.broker.away(random.nextInt(3) == 0 ? "Away." : null);
                    fixture.orders.sweep(Duration.ZERO);
                }
                default -> sync();
            }
        }

        private void accept() {
            boolean isBuy = random.nextInt(3) > 0;
            String amount = 100 + random.nextInt(2_000) + ".25";
            var proposed = fixture.proposed(agent, (isBuy ? "buy " : "sell ") + amount + " BTC crypto", null);
            if (proposed.requestId() != null) {
                fixture.attest.accept(USER, proposed.requestId());
            }
        }

        private void fill() {
            open().stream().findAny().ifPresent(order -> {
                int units = 1 + random.nextInt(9);
                Usd worth = Usd.of(units * 30L);
                if (worth.isAbove(order.rest())) {
                    return;
                }
                Fill fill = fixture.broker.fill(order.clientOrderId(), "0.00" + units, "30000");
                fills.add(fill);
                if (random.nextInt(4) == 0) {
                    fixture.broker.hide(fill);
                }
            });
            if (random.nextInt(3) == 0) {
                fills.add(
                        fixture.broker.traded(null, Action.SELL, new AssetSymbol("SPY"), AssetType.TRADFI, "1", "550"));
            }
        }

        private void finish() {
            OrderState[] ends = {
                new OrderState.Filled(),
                new OrderState.Cancelled(),
                new OrderState.Expired(),
                new OrderState.Rejected("Halted.")
            };
            for (OrderAttempt order : open()) {
                boolean isFilled =
                        fills.stream().anyMatch(fill -> order.clientOrderId().equals(fill.clientOrderId()));
                fixture.broker.end(order.clientOrderId(), ends[isFilled ? random.nextInt(4) : 1 + random.nextInt(3)]);
                return;
            }
        }

        private void cancel() {
            open().stream().findFirst().ifPresent(order -> {
                long id = OrderAttempt.requestId(order.clientOrderId()).orElseThrow();
                fixture.orders.cancel(USER, id);
                fixture.broker.end(order.clientOrderId(), new OrderState.Cancelled());
            });
        }

        private void sync() {
            fixture.sync.sync(USER, "alpaca");
        }

        /** Orders that the broker has and that were not ended there. */
        private List<OrderAttempt> open() {
            return requests().stream()
                    .filter(Pending.class::isInstance)
                    .map(request -> ((Pending) request).order())
                    .filter(order -> order != null && fixture.broker.isOpen(order.clientOrderId()))
                    .toList();
        }

        private List<ServiceRequest> requests() {
            return fixture.store.requestQueue().page(USER, null, null, 1_000);
        }

        private void end() {
            fixture.broker.away(null);
            fixture.broker.show();
            fixture.orders.sweep(Duration.ofSeconds(-1));
            sync();
            fixture.validated(agent, "buy 1 BTC crypto");
            assertThat(fixture.payloads(EventKind.TRADE_OBSERVED))
                    .extracting(observed -> observed.get("externalId"))
                    .containsExactlyInAnyOrderElementsOf(
                            fills.stream().map(Fill::id).toList());
            Recomputation recomputation = Recomputation.begin();
            fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
            tallyIsRight();
            CustodianHoldings held = fixture.portfolio().custodian("alpaca").orElseThrow();
            assertThat(held.cash()).isEqualTo(fixture.broker.cash());
            assertThat(held.openOrders()).hasSize((int) requests().stream()
                    .filter(request -> request.fold(Pending::isAccepted, done -> false, no -> false))
                    .count());
        }

        /** What is managed is what was bought and may be bought yet, less what was sold. */
        private void tallyIsRight() {
            Usd bought = Usd.ZERO;
            Usd sold = Usd.ZERO;
            Usd waiting = Usd.ZERO;
            int pending = 0;
            for (ServiceRequest request : requests()) {
                boolean isBuy = request.proposal().trade().isBuy();
                OrderAttempt order = request.fold(Pending::order, done -> done.order(), no -> null);
                Usd filled = order == null ? Usd.ZERO : order.filledUsd();
                bought = isBuy ? bought.plus(filled) : bought;
                sold = isBuy ? sold : sold.plus(filled);
                if (request instanceof Pending) {
                    pending++;
                    Usd rest = request.proposal().trade().amount().minus(filled);
                    waiting = isBuy ? waiting.plus(rest) : waiting;
                }
            }
            Tally tally = fixture.tally(agent);
            assertThat(tally.completedBuys()).isEqualTo(bought);
            assertThat(tally.completedSells()).isEqualTo(sold);
            assertThat(tally.pendingBuys()).isEqualTo(waiting);
            assertThat(tally.pending()).isEqualTo(pending);
        }
    }
}
