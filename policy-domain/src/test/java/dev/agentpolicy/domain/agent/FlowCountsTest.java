package dev.agentpolicy.domain.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.FlowCounts.FlowWindow;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.sample.Seeded;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FlowCountsTest {
    private static final Instant START = Instant.parse("2026-11-21T12:00:30Z");
    private static final AgentKeyId KEY = new AgentKeyId(UUID.randomUUID());
    private static final AgentKeyId OTHER = new AgentKeyId(UUID.randomUUID());

    @Test
    void a_proposal_counts_until_the_end_of_its_bucket_plus_the_window() {
        List<Limit> limits = limits("{\"windowMinutes\":10,\"maxTrades\":1}");
        FlowCounts counts = FlowCounts.NONE.plus(limits, List.of(), KEY, trade("buy 5 BTC crypto"), START);

        assertThat(trades(counts, limits, Instant.parse("2026-11-21T12:10:59.999999Z")))
                .isEqualTo(1);
        assertThat(trades(counts, limits, Instant.parse("2026-11-21T12:11:00Z")))
                .isZero();
    }

    @Test
    void the_buckets_of_thirty_days_have_thirty_minutes() {
        List<Limit> limits = limits("{\"windowMinutes\":43200,\"maxTrades\":1}");
        FlowCounts counts = FlowCounts.NONE.plus(limits, List.of(), KEY, trade("buy 5 BTC crypto"), START);
        Instant end = Instant.parse("2026-11-21T12:30:00Z").plus(Duration.ofDays(30));

        assertThat(trades(counts, limits, end.minusNanos(1000))).isEqualTo(1);
        assertThat(trades(counts, limits, end)).isZero();
        assertThat(window(counts, limits).freesAt(START)).isEqualTo(end);
    }

    @Test
    void keys_and_assets_are_counted_alone_where_the_limit_says_so() {
        List<Limit> limits = limits(
                "{\"windowMinutes\":10,\"maxTrades\":1}",
                "{\"windowMinutes\":10,\"maxTrades\":1,\"per\":\"agent\"}",
                "{\"windowMinutes\":10,\"maxTrades\":1,\"per\":\"asset\"}");
        FlowCounts counts = FlowCounts.NONE.plus(limits, List.of(), KEY, trade("buy 5 BTC crypto"), START);
        Trade other = trade("buy 5 ETH crypto");

        assertThat(counts.of(limits.get(0).flow(), OTHER, other).trades(START)).isEqualTo(1);
        assertThat(counts.of(limits.get(1).flow(), OTHER, other).trades(START)).isZero();
        assertThat(counts.of(limits.get(1).flow(), KEY, other).trades(START)).isEqualTo(1);
        assertThat(counts.of(limits.get(2).flow(), KEY, other).trades(START)).isZero();
        assertThat(counts.of(limits.get(2).flow(), OTHER, trade("sell 1 BTC crypto"))
                        .trades(START))
                .isEqualTo(1);
    }

    @Test
    void a_form_that_is_gone_loses_its_counts_and_others_keep_theirs() {
        List<Limit> both = limits("{\"windowMinutes\":10,\"maxTrades\":9}", "{\"windowMinutes\":20,\"maxTrades\":9}");
        FlowCounts counts = FlowCounts.NONE.plus(both, List.of(), KEY, trade("buy 5 BTC crypto"), START);
        List<Limit> renamed =
                limits("{\"id\":\"other\",\"windowMinutes\":20,\"maxUsd\":7,\"effect\":\"require_approval\"}");

        FlowCounts kept = counts.kept(ips(renamed));

        assertThat(trades(kept, renamed, START)).isEqualTo(1);
        assertThat(kept.kept(ips(both))).isEqualTo(kept);
        assertThat(trades(kept, both, START)).isZero();
        assertThat(counts.kept(ips(List.of())).isNothing()).isTrue();
    }

    @Test
    void counts_survive_their_stored_form() {
        List<Limit> limits = limits(
                "{\"windowMinutes\":10,\"maxTrades\":9,\"per\":\"agent\"}",
                "{\"windowMinutes\":20,\"maxUsd\":9,\"scope\":{\"actions\":[\"buy\"],\"symbols\":[\"BTC\",\"ETH\"]}}");
        FlowCounts counts = FlowCounts.NONE
                .plus(limits, List.of(), KEY, trade("buy 5.25 BTC crypto"), START)
                .plus(limits, List.of(), OTHER, trade("buy 1 ETH crypto"), START.plusSeconds(90));
        String stored = CanonicalForm.writeStored(FlowCounts.STORED.write(counts));

        assertThat(FlowCounts.STORED.readStored(CanonicalForm.readStored(stored)))
                .isEqualTo(counts);
    }

    /** Against a list of all proposals: never more than the maximum in any window, and at most one bucket too long. */
    @Test
    void counts_agree_with_a_list_of_all_proposals() {
        Seeded.times(2_000, random -> {
            int minutes = 1 + random.nextInt(random.nextBoolean() ? 20 : 43_200);
            List<Limit> limits = limits("{\"windowMinutes\":" + minutes + ",\"maxUsd\":1000,\"maxTrades\":9}");
            long bucket = (minutes + 1439) / 1440 * 60_000_000L;
            FlowCounts counts = FlowCounts.NONE;
            List<Instant> proposed = new ArrayList<>();
            Instant now = START;
            for (int i = 0; i < 40; i++) {
                now = now.plus(Duration.ofSeconds(random.nextLong(minutes * 20L), random.nextInt(1_000_000) * 1000L));
                long counted = 0;
                Instant first = null;
                for (Instant at : proposed) {
                    Instant end = ends(at, bucket).plus(Duration.ofMinutes(minutes));
                    if (now.isBefore(end)) {
                        counted++;
                        first = first == null ? end : first;
                    }
                }
                FlowWindow window = window(counts, limits);
                assertThat(window.trades(now)).isEqualTo(counted);
                assertThat(window.usd(now)).isEqualTo(Usd.of(100 * counted));
                assertThat(window.freesAt(now)).isEqualTo(first);
                assertFits(window, now, random);
                counts = counts.plus(limits, List.of(), KEY, trade("buy 100 BTC crypto"), now);
                proposed.add(now);
            }
        });
    }

    /** The instant of a retry is the first at which the trade fits. */
    private static void assertFits(FlowWindow window, Instant now, Random random) {
        Usd amount = Usd.of(random.nextInt(1_200));
        Instant retry = window.fitsAt(amount, Usd.of(1_000), 9, now);
        if (amount.isAbove(Usd.of(1_000))) {
            assertThat(retry).isNull();
            return;
        }
        assertThat(fits(window, amount, retry)).isTrue();
        assertThat(retry.equals(now) || !fits(window, amount, retry.minusNanos(1000)))
                .isTrue();
    }

    private static boolean fits(FlowWindow window, Usd amount, Instant at) {
        return !window.usd(at).plus(amount).isAbove(Usd.of(1_000)) && window.trades(at) < 9;
    }

    private static Instant ends(Instant at, long bucket) {
        long micros = at.getEpochSecond() * 1_000_000 + at.getNano() / 1000;
        long end = (micros / bucket + 1) * bucket;
        return Instant.ofEpochSecond(end / 1_000_000);
    }

    private static long trades(FlowCounts counts, List<Limit> limits, Instant now) {
        return window(counts, limits).trades(now);
    }

    private static FlowWindow window(FlowCounts counts, List<Limit> limits) {
        return counts.of(limits.get(0).flow(), KEY, trade("buy 1 BTC crypto"));
    }

    private static Ips ips(List<Limit> limits) {
        return SampleValues.ips("{}").withLimits(limits);
    }

    private static Trade trade(String text) {
        return SampleValues.trade(text);
    }

    /** Flow limits; an id is added where none is given. */
    private static List<Limit> limits(String... members) {
        StringBuilder all = new StringBuilder("{\"limits\":[");
        for (int i = 0; i < members.length; i++) {
            String id = members[i].contains("\"id\"") ? "" : "\"id\":\"l" + i + "\",";
            all.append(i == 0 ? "" : ",")
                    .append("{\"kind\":\"flow\",")
                    .append(id)
                    .append(members[i].substring(1));
        }
        return SampleValues.ips(all.append("]}").toString()).limits();
    }
}
