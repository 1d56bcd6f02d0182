package dev.agentpolicy.domain.decision;

import static dev.agentpolicy.domain.sample.SampleValues.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.sample.Seeded;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left for an agent once everything that is pending has been filled. */
class PendingTradeTest {
    private static final int CASES = 20_000;
    private static final String[] PENDING = {
        "buy %d BTC crypto",
        "sell %d BTC crypto",
        "buy %d ETH crypto 0.5%%",
        "sell %d SPY tradfi 0.25%%",
        "buy %d BTC tradfi"
    };

    /** Pending trades of the calling key begin with {@code mine}; expected are crypto/tradfi/cash, held and AUM after. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            nothing is pending            |                                              | 30000/55000/15000    | 500   | 900
            a buy                         | buy 1000 BTC crypto                          | 31000/55000/14000    | 1500  | 900
            a buy with slippage           | buy 1000 BTC crypto 1%                       | 30990/55000/14000    | 1490  | 900
            a sell                        | sell 200 BTC crypto                          | 29800/55000/15200    | 300   | 900
            a sell with slippage          | sell 200 BTC crypto 1%                       | 29800/55000/15198    | 300   | 900
            of another asset              | sell 200 ETH crypto                          | 29800/55000/15200    | 500   | 900
            of the namesake in a sleeve   | sell 200 BTC tradfi                          | 30000/54800/15200    | 500   | 900
            a buy of the key counted      | mine buy 1000 BTC crypto                     | 31000/55000/14000    | 1500  | 900
            a sell of the key counts now  | mine sell 200 BTC crypto                     | 29800/55000/15200    | 300   | 700
            the AUM does not go below 0   | mine sell 1000 SPY tradfi                    | 30000/54000/16000    | 500   | 0
            several, in their order       | mine sell 200 BTC crypto, buy 100 BTC crypto | 29900/55000/15100    | 400   | 700
            no sum goes below 0           | buy 16000 SPY tradfi, sell 1 SPY tradfi      | 30000/70999/1        | 500   | 900
            nor what is held              | sell 600 BTC crypto, buy 50 BTC crypto       | 29450/55000/15550    | 50    | 900
            """)
    void pending_trades_move_the_portfolio_what_is_held_and_the_aum(
            String why, String pending, String portfolio, String held, String aum) {
        EvaluationContext now = context("30000/55000/15000", Usd.of(500));
        EvaluationContext after = PendingTrade.allFilled(now, pending(pending));

        assertThat(after)
                .isEqualTo(new EvaluationContext(
                        now.trade(),
                        now.asset(),
                        now.ips(),
                        SampleValues.portfolio(portfolio + " peak 100000"),
                        Usd.of(held),
                        now.policy(),
                        new CapUsage(3, Usd.of(70), Usd.of(aum)),
                        now.now()));
    }

    @Test
    void without_a_snapshot_only_caps_change() {
        EvaluationContext after = PendingTrade.allFilled(
                context(null, null), pending("mine sell 200 BTC crypto, mine buy 50 BTC crypto"));

        assertThat(after.snapshot()).isNull();
        assertThat(after.held()).isNull();
        assertThat(after.used().aum()).isEqualTo(Usd.of(700));
    }

    @Test
    void a_portfolio_that_slippage_of_pending_trades_uses_up_counts_as_absent() {
        EvaluationContext after =
                PendingTrade.allFilled(context("0/0/100", Usd.ZERO), pending("buy 100 BTC crypto 100%"));

        assertThat(after.snapshot()).isNull();
        assertThat(Headroom.of(after).binding().rule()).isEqualTo(Rule.NO_PORTFOLIO_SNAPSHOT);
    }

    @Test
    void pending_buys_lower_the_headroom_and_pending_sells_raise_it() {
        EvaluationContext now = context("30000/55000/15000", Usd.of(30000));

        assertThat(Headroom.of(now).maxAllowed()).isEqualTo(Usd.of(5000));
        assertThat(afterPending(now, "buy 4000 ETH crypto")).isEqualTo(Usd.of(1000));
        assertThat(afterPending(now, "sell 4000 ETH crypto")).isEqualTo(Usd.of(9000));
        assertThat(afterPending(now, "buy 5000 ETH crypto")).isEqualTo(Usd.ZERO);
        assertThat(afterPending(now, "buy 6000 ETH crypto")).isNull();
    }

    /** Trades that fit one after the other are added up here in whole numbers. */
    @Test
    @Tag("slow")
    void the_portfolio_after_pending_trades_is_the_sum_of_all() {
        Seeded.times(CASES, random -> {
            BigDecimal[] sums = {
                BigDecimal.valueOf(1_000_000), BigDecimal.valueOf(1_000_000), BigDecimal.valueOf(1_000_000)
            };
            BigDecimal[] others = {BigDecimal.valueOf(500_000), BigDecimal.valueOf(300_000)};
            List<PendingTrade> pending = new ArrayList<>();
            for (int i = random.nextInt(6); i > 0; i--) {
                pending.add(draw(random, sums, others));
            }
            EvaluationContext after = PendingTrade.allFilled(
                    context("1000000/1000000/1000000", Usd.of(500_000), Usd.of(300_000)), pending);

            assertThat(after.snapshot())
                    .isEqualTo(Snapshot.ofCrypto(new Usd(sums[0]))
                            .tradfi(new Usd(sums[1]))
                            .cash(new Usd(sums[2]))
                            .peak(Usd.of(3_000_000))
                            .asOf(NOON));
            assertThat(after.held()).isEqualTo(new Usd(others[0]));
            assertThat(after.used().aum()).isEqualTo(new Usd(others[1]));
        });
    }

    /** Draws a trade and adds it to crypto, tradfi and cash, and to what is held of BTC and the AUM. */
    private static PendingTrade draw(Random random, BigDecimal[] sums, BigDecimal[] others) {
        int amount = random.nextInt(20_000);
        boolean isMine = random.nextBoolean();
        int kind = random.nextInt(PENDING.length);
        BigDecimal whole = BigDecimal.valueOf(amount);
        BigDecimal lost = whole.multiply(new BigDecimal(kind == 2 ? "0.005" : kind == 3 ? "0.0025" : "0"));
        boolean buys = kind == 0 || kind == 2 || kind == 4;
        BigDecimal sleeve = buys ? whole.subtract(lost) : whole.negate();
        sums[kind < 3 ? 0 : 1] = sums[kind < 3 ? 0 : 1].add(sleeve);
        sums[2] = sums[2].add(buys ? whole.negate() : whole.subtract(lost));
        others[0] = kind < 2 ? others[0].add(sleeve) : others[0];
        others[1] = isMine && !buys ? others[1].subtract(whole) : others[1];
        return new PendingTrade(SampleValues.trade(String.format(PENDING[kind], amount)), isMine);
    }

    private static Usd afterPending(EvaluationContext now, String pending) {
        return Headroom.of(PendingTrade.allFilled(now, pending(pending))).maxAllowed();
    }

    private static List<PendingTrade> pending(String text) {
        return text == null
                ? List.of()
                : Arrays.stream(text.split(", "))
                        .map(it -> new PendingTrade(
                                SampleValues.trade(it.replaceFirst("^mine ", "")), it.startsWith("mine ")))
                        .toList();
    }

    private static EvaluationContext context(String portfolio, Usd held) {
        return context(portfolio, held, Usd.of(900));
    }

    private static EvaluationContext context(String portfolio, Usd held, Usd aum) {
        Trade trade = SampleValues.trade("buy 1 BTC crypto");
        return new EvaluationContext(
                trade,
                null,
                SampleValues.version(SampleValues.plainIps()),
                portfolio == null ? null : SampleValues.portfolio(portfolio),
                held,
                KeyPolicy.NO_CAPS,
                new CapUsage(3, Usd.of(70), aum),
                NOON);
    }
}
