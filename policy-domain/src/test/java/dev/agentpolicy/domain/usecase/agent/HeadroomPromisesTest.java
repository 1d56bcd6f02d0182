package dev.agentpolicy.domain.usecase.agent;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.sample.Seeded;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.ReadHeadroom.AssetHeadroom;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a headroom promises, kept in accounts whose users accept, reject and change their minds. */
@Tag("slow")
class HeadroomPromisesTest {
    private static final int ACCOUNTS = 20;
    private static final int STEPS = 500;
    private static final int HISTORIES = 50;
    private static final String[] ASSETS = {"BTC crypto", "ETH crypto", "SPY tradfi", "AGG tradfi", "DOGE crypto"};
    private static final String[] SLIPPAGES = {"", "", " 0.1%", " 0.35%", " 1%", " 2%"};
    private static final String[] POLICIES = {
        "{}", "{\"aumCapUsd\":20000.55}", "{\"dailyUsdCap\":9000.01}", "{\"allowedAssetTypes\":[\"crypto\"]}"
    };
    private static final String[] STATEMENTS = {
        "{}",
        "{\"crypto\":{\"min\":0,\"target\":0.5,\"max\":0.9},\"tradfi\":{\"min\":0,\"target\":0.5,\"max\":0.9}}",
        "{\"assetAuthority\":{\"assets\":{\"BTC\":\"protect\",\"DOGE\":\"monitor\"}},\"cashFloor\":0.1}",
        "{\"standingRules\":[{\"id\":\"large\",\"effect\":\"require_approval\",\"when\":{\"amountUsdAbove\":750.255}}]}"
    };

    @Test
    void an_agent_that_proposes_what_its_headroom_allows_is_never_blocked() {
        List<Integer> proposals = new ArrayList<>();
        Seeded.times(ACCOUNTS, random -> proposals.add(new Life(random).proposalsIn(STEPS)));

        // In the other steps nothing was allowed.
        assertThat(proposals.stream().mapToInt(Integer::intValue).sum()).isGreaterThan(ACCOUNTS * STEPS / 3);
    }

    @Test
    void once_all_pending_requests_are_accepted_every_headroom_is_what_it_was_said_to_be() {
        Seeded.times(HISTORIES, random -> {
            Life life = new Life(random);
            List<Long> queued = life.queueWholeDollars();
            Map<String, Headroom> promised = life.headrooms(AssetHeadroom::ifPendingAccepted);

            queued.forEach(life::accept);

            assertThat(life.headrooms(AssetHeadroom::now)).isEqualTo(promised);
        });
    }

    /** An account with two agents. Prices are powers of ten, so fills divide without a rest. */
    private static final class Life {
        private final UseCaseFixture fixture = new UseCaseFixture();
        private final Random random;
        private final Caller agent;
        private final Caller other;

        Life(Random random) {
            this.random = random;
            amend();
            hold();
            this.agent = fixture.agent(one(POLICIES));
            this.other = fixture.agent("{}");
        }

        int proposalsIn(int steps) {
            int proposals = 0;
            for (int step = 0; step < steps; step++) {
                proposals += propose() ? 1 : 0;
                answerSome();
                fixture.clock.advance(Duration.ofMinutes(random.nextInt(40)));
                if (random.nextInt(100) == 0) {
                    amend();
                }
                if (random.nextInt(100) == 0) {
                    hold();
                }
            }
            return proposals;
        }

        private boolean propose() {
            String action = random.nextBoolean() ? "buy " : "sell ";
            String asset = " " + one(ASSETS) + one(SLIPPAGES);
            Headroom headroom = headroom(action + 0 + asset).now();
            Usd max = headroom.maxAllowed();
            if (max == null || max.isZero()) {
                return false;
            }
            fixture.queued(agent, action + upTo(max).toPlainString() + asset);
            return true;
        }

        /** Often the whole headroom, else a part of it, and never more than a small portfolio is worth. */
        private BigDecimal upTo(Usd max) {
            return switch (random.nextInt(3)) {
                case 0 -> max.value();
                case 1 ->
                    max.value()
                            .multiply(BigDecimal.valueOf(random.nextInt(1_000), 3))
                            .setScale(2, RoundingMode.DOWN);
                default -> max.value().min(BigDecimal.valueOf(random.nextInt(200_000), 2));
            };
        }

        /** The user answers some requests, and all of them before the agent has too many. */
        private void answerSome() {
            var pending = fixture.store.requestQueue().page(USER, null, null, 100).stream()
                    .filter(request -> request.resolvedAt().isEmpty())
                    .toList();
            for (var request : pending) {
                boolean isFull = pending.size() > UseCaseFixture.LIMITS.maxPendingPerKey() / 2;
                if (random.nextInt(4) == 0) {
                    fixture.attest.accept(USER, request.id());
                } else if (isFull || random.nextInt(8) == 0) {
                    fixture.attest.reject(USER, request.id(), null);
                }
            }
        }

        /** Small trades in whole dollars by both agents, so that all of them can be accepted. */
        List<Long> queueWholeDollars() {
            List<Long> queued = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                Caller proposer = random.nextBoolean() ? agent : other;
                String trade = (random.nextBoolean() ? "buy " : "sell ") + (1 + random.nextInt(40)) + " " + one(ASSETS);
                Long id = fixture.proposed(proposer, trade, null).requestId();
                if (id != null) {
                    queued.add(id);
                }
            }
            return queued;
        }

        void accept(long id) {
            var request = UseCaseFixture.given(fixture.attest.accept(USER, id));
            assertThat(request.resolvedAt()).as("request %d", id).isPresent();
        }

        Map<String, Headroom> headrooms(Function<AssetHeadroom, Headroom> which) {
            Map<String, Headroom> found = new TreeMap<>();
            for (String asset : ASSETS) {
                for (String action : List.of("buy", "sell")) {
                    for (String slippage : SLIPPAGES) {
                        String trade = action + " 0 " + asset + slippage;
                        found.put(trade, which.apply(headroom(trade)));
                    }
                }
            }
            return found;
        }

        private AssetHeadroom headroom(String trade) {
            return UseCaseFixture.given(
                    CompletableFuture.completedFuture(fixture.headroom.of(agent, null, SampleValues.sent(trade))));
        }

        private void amend() {
            UseCaseFixture.given(fixture.amendIps.put(USER, SampleValues.ips(one(STATEMENTS))));
        }

        private void hold() {
            String sent = """
                    {"name":"Broker","kind":"paper","cash":%d,"positions":[
                      {"symbol":"BTC","assetType":"crypto","quantity":%d,"price":10000},
                      {"symbol":"ETH","assetType":"crypto","quantity":%d,"price":1000},
                      {"symbol":"SPY","assetType":"tradfi","quantity":%d,"price":100},
                      {"symbol":"AGG","assetType":"tradfi","quantity":%d,"price":10}]}""".formatted(
                            8_000 + random.nextInt(20_000),
                            1 + random.nextInt(2),
                            5 + random.nextInt(5),
                            500 + random.nextInt(100),
                            500 + random.nextInt(500));
            UseCaseFixture.given(fixture.observe.observe(USER, UseCaseFixture.setup("broker", sent)));
        }

        private String one(String[] among) {
            return among[random.nextInt(among.length)];
        }
    }
}
