package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.app.guard.SettableClocks;
import dev.agentpolicy.domain.compare.PolicyComparison;
import dev.agentpolicy.domain.compare.RandomPolicies;
import dev.agentpolicy.domain.compare.TradeWitness;
import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.compare.TradeWitness.UsedFlow;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The running service decides what witnesses of comparisons say. Each witness is made twice over HTTP, once with either
 * policy: an account of its own, a paper custodian with its portfolio, the peak and what a flow has counted.
 */
class WitnessReplayTest {
    private static final int WITNESSES = ExperimentSettings.times("witnesses", 30, 500);
    /** A session ends after 14 days without use. */
    private static final int MAX_IDLE_DAYS = 13;

    private static final String APP = TestHousehold.APP;
    private static final String API = TestHousehold.API;
    private static final BigDecimal MUCH = new BigDecimal("1000000000000");
    private static final AssetSymbol FALLING = new AssetSymbol("AGG");
    private static final UUID ANYBODY = new UUID(0, 0);

    private final SettableClocks machine = new SettableClocks(RandomPolicies.NOW.minus(Duration.ofDays(40)));
    private Instant time = RandomPolicies.NOW.minus(Duration.ofDays(40));

    /** Something to do at a time. */
    private record Step(Instant at, Runnable todo) {}

    @Test
    void the_service_decides_as_witnesses_say(@TempDir Path folder) {
        long seed = ExperimentSettings.seed(WitnessReplayTest.class);
        List<Step> steps = new ArrayList<>();
        int witnesses = 0;
        try (RunningService service = RunningService.start(folder, Map.of(), machine.running())) {
            ApiCaller stranger = new ApiCaller(service.address());
            for (long at = seed; witnesses < WITNESSES; at++) {
                RandomPolicies random = new RandomPolicies(at);
                Ips from = random.draw();
                Ips to = random.changed(from);
                if (!isAccepted(from) || !isAccepted(to)) {
                    continue;
                }
                for (TradeWitness witness :
                        PolicyComparison.of(from, to, RandomPolicies.NOW).witnesses()) {
                    String name = "Seed " + at + ": " + witness;
                    new Replay(stranger, name, witness.situation(), from, witness.before()).addTo(steps);
                    new Replay(stranger, name, witness.situation(), to, witness.after()).addTo(steps);
                    witnesses++;
                }
            }
            steps.sort(Comparator.comparing(Step::at));
            for (Step step : steps) {
                if (step.at.isAfter(time)) {
                    machine.pass(Duration.between(time, step.at));
                    time = step.at;
                }
                step.todo.run();
            }
        }
        System.out.println("The service decides " + witnesses + " witnesses as they say.");
    }

    /** Whether a user may store a policy; drawn ones may have minima that leave no room for each other. */
    private static boolean isAccepted(Ips ips) {
        return IpsDocument.readSigned(CanonicalForm.read(CanonicalForm.write(IpsDocument.toSigned(ips))))
                .isRead();
    }

    /** A situation under one policy. */
    private static final class Replay {
        private final ApiCaller stranger;
        private final String name;
        private final Situation situation;
        private final Ips ips;
        private final Decision expected;
        private @Nullable TestHousehold household;

        Replay(ApiCaller stranger, String name, Situation situation, Ips ips, Decision expected) {
            this.stranger = stranger;
            this.name = name;
            this.situation = situation;
            this.ips = ips;
            this.expected = expected;
        }

        void addTo(List<Step> steps) {
            if (situation.peakDaysAgo() > 0) {
                steps.add(new Step(
                        situation.at().minus(Duration.ofDays(situation.peakDaysAgo())), () -> hold(BigDecimal.ONE)));
            }
            for (int day = 1; day < situation.peakDaysAgo(); day += MAX_IDLE_DAYS) {
                steps.add(new Step(situation.at().minus(Duration.ofDays(day)), this::signInAgain));
            }
            steps.add(new Step(situation.at(), this::decide));
        }

        private void signInAgain() {
            TestHousehold known = household();
            ApiCaller user = new ApiCaller(known.user().address()).with("Cookie", known.signInAgain());
            household = new TestHousehold(user, known.userId());
        }

        private TestHousehold household() {
            TestHousehold known = household == null ? TestHousehold.signUp(stranger) : household;
            household = known;
            return known;
        }

        /** The portfolio, which has fallen from its peak if it had one. */
        private void hold(BigDecimal times) {
            Usd peak = situation.peak();
            BigDecimal lost = peak == null
                    ? BigDecimal.ZERO
                    : peak.value()
                            .subtract(situation
                                    .portfolio()
                                    .snapshot()
                                    .orElseThrow()
                                    .total()
                                    .value());
            if (lost.signum() > 0 && times.equals(BigDecimal.ONE)) {
                put(times, situation.cash().value(), lost);
                put(times, situation.cash().value(), BigDecimal.ZERO);
            } else {
                put(times, situation.cash().value(), null);
            }
        }

        private void put(BigDecimal times, BigDecimal cash, @Nullable BigDecimal falling) {
            List<String> positions = new ArrayList<>();
            for (Position held : situation.positions()) {
                positions.add(position(held, times));
            }
            if (falling != null) {
                positions.add("{\"symbol\":\"" + FALLING + "\",\"assetType\":\"tradfi\",\"quantity\":1,\"price\":"
                        + falling.toPlainString() + "}");
            }
            put(cash, positions);
        }

        private void put(BigDecimal cash, List<String> positions) {
            household()
                    .user()
                    .put(
                            APP + "custodians/paper",
                            "{\"name\":\"Paper\",\"kind\":\"paper\",\"cash\":" + cash.toPlainString()
                                    + ",\"positions\":[" + String.join(",", positions) + "]}")
                    .ok();
        }

        private static String position(Position held, BigDecimal times) {
            return "{\"symbol\":\"" + held.symbol() + "\",\"assetType\":\""
                    + held.assetType().wireName() + "\",\"quantity\":"
                    + held.quantity().multiply(times).toPlainString() + ",\"price\":"
                    + held.price().value().toPlainString() + "}";
        }

        private void decide() {
            TestHousehold user = household();
            Map<UUID, String> ids = new HashMap<>();
            Map<UUID, ApiCaller> agents = new HashMap<>();
            UUID asking = Objects.requireNonNullElse(situation.agentKeyId(), ANYBODY);
            List<UUID> keys = new ArrayList<>(List.of(asking));
            ips.approvals().stream()
                    .map(Approval::agentKeyId)
                    .filter(Objects::nonNull)
                    .forEach(keys::add);
            for (UUID key : keys) {
                if (!ids.containsKey(key)) {
                    JsonNode minted = user.mint("live");
                    ids.put(key, minted.get("agentKeyId").textValue());
                    agents.put(key, user.agent(minted));
                }
            }
            ApiCaller agent = Objects.requireNonNull(agents.get(asking));
            count(user, agent);
            if (situation.peakDaysAgo() == 0) {
                hold(BigDecimal.ONE);
            }
            String document = json(ips);
            for (Map.Entry<UUID, String> id : ids.entrySet()) {
                document = document.replace(id.getKey().toString(), id.getValue());
            }
            user.user().put(APP + "ips", document).ok();
            if (ips.isPaused()) {
                user.user().post(APP + "pause", "{}").ok();
            }

            JsonNode decided = agent.post(
                            API + "policy/validate", trade(situation.trade().amount()))
                    .ok()
                    .json();

            List<String> violations = new ArrayList<>();
            decided.get("violations")
                    .forEach(it -> violations.add(it.get("rule").textValue() + ": "
                            + it.get("message").textValue()));
            assertThat(decided.get("allowed").booleanValue()).as(name).isEqualTo(expected.isAllowed());
            assertThat(violations)
                    .as(name)
                    .isEqualTo(expected.violations().stream()
                            .map(it -> it.rule().wireName() + ": " + it.message())
                            .toList());
        }

        /** Proposes what the flow has counted, under a policy with no other restriction and with enough of everything. */
        private void count(TestHousehold user, ApiCaller agent) {
            UsedFlow used = situation.used();
            Limit flow = used == null
                    ? null
                    : ips.limits().stream()
                            .filter(it -> it.isFlow() && it.flow().equals(used.form()))
                            .findFirst()
                            .orElse(null);
            if (used == null
                    || flow == null
                    || used.symbol() != null && !used.symbol().equals(asset())) {
                return;
            }
            List<String> positions = new ArrayList<>();
            situation.positions().forEach(held -> positions.add(position(held, new BigDecimal(1_000_000))));
            put(MUCH, positions);
            user.user().put(APP + "ips", json(free(flow))).ok();
            BigDecimal left = used.usd().value();
            for (long i = used.trades(); i > 0; i--) {
                BigDecimal part = i == 1 ? left : left.divide(BigDecimal.valueOf(i), 2, RoundingMode.DOWN);
                JsonNode proposed =
                        agent.post(API + "trades/propose", trade(new Usd(part))).json();
                assertThat(proposed.at("/decision/allowed")
                                .asBoolean(proposed.at("/allowed").asBoolean()))
                        .as("%s%n%s", name, proposed)
                        .isTrue();
                left = left.subtract(part);
            }
            if (situation.peakDaysAgo() == 0) {
                put(BigDecimal.ZERO, List.of());
            }
        }

        /** What the policy takes the symbol of the trade for. */
        private AssetSymbol asset() {
            IpsVersion version = new IpsVersion(1, ips, RandomPolicies.NOW);
            Trade trade = situation.trade();
            return KnownAssets.resolver(situation.portfolio(), version, List.of())
                    .resolve(trade.asset(), trade.assetType(), trade.asset().value())
                    .symbol();
        }

        private Ips free(Limit flow) {
            List<StandingRule> listings = new ArrayList<>();
            for (StandingRule rule : ips.standingRules()) {
                When when = rule.when();
                listings.add(new StandingRule(
                        rule.id(),
                        Effect.BLOCK,
                        null,
                        new When(when.actions(), when.assetTypes(), when.symbols(), new Usd(MUCH), null, null)));
            }
            Map<AssetSymbol, Level> levels = new TreeMap<>();
            ips.named().forEach(symbol -> levels.put(symbol, Level.FULL));
            Limit counting = new Limit(
                    flow.id(),
                    flow.kind(),
                    Effect.BLOCK,
                    null,
                    flow.scope(),
                    null,
                    false,
                    flow.flow(),
                    new Usd(MUCH),
                    null,
                    null);
            AllocationBand any = new AllocationBand(Fraction.ZERO, Fraction.ZERO, Fraction.ONE);
            return new Ips(
                    any,
                    any,
                    Fraction.ZERO,
                    Fraction.ONE,
                    Fraction.ONE,
                    EnumSet.allOf(Action.class),
                    new AssetAuthority(Level.FULL, levels),
                    listings,
                    List.of(counting),
                    UnknownAssets.AS_SAID,
                    List.of(),
                    false,
                    null,
                    null);
        }

        private String trade(Usd amount) {
            Percent slippage = situation.trade().expectedSlippage();
            return "{\"action\":\"" + situation.trade().action().wireName() + "\",\"assetSymbol\":\""
                    + situation.trade().asset() + "\",\"assetType\":\""
                    + situation.trade().assetType().wireName() + "\",\"amountUsd\":"
                    + amount.value().toPlainString()
                    + (slippage == null
                            ? ""
                            : ",\"expectedSlippagePct\":" + slippage.value().toPlainString()) + "}";
        }

        private static String json(Ips ips) {
            byte[] json = JsonWriter.object(out -> IpsJson.write(out, new IpsVersion(1, ips, RandomPolicies.NOW)));
            return new String(json, StandardCharsets.UTF_8);
        }
    }
}
