package dev.agentpolicy.domain.custodian;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a user may say about a paper custodian. */
class PaperSetupDocumentTest {
    private static final String HOLDINGS = "\"name\":\"Paper\",\"kind\":\"paper\",\"cash\":\"10\",\"positions\":[]";

    @Test
    void without_prices_and_market_every_order_is_filled_at_once() {
        PaperSetup setup = read("").orElseThrow();

        assertThat(setup.holdings().cash()).isEqualTo(Usd.of(10));
        assertThat(setup.prices()).isEmpty();
        assertThat(setup.market()).isEqualTo(PaperMarket.OPEN);
        assertThat(read(",\"market\":{}").orElseThrow().market()).isEqualTo(PaperMarket.OPEN);
    }

    @Test
    void prices_and_market_are_numbers_or_text() {
        PaperSetup setup = read(",\"prices\":{\"eth\":2500,\"SOL\":\"0.5\"},"
                        + "\"market\":{\"isOpen\":false,\"fillShare\":\"0.4\",\"rejects\":[\"doge\",\"DOGE\"]}")
                .orElseThrow();

        assertThat(setup.prices())
                .containsOnlyKeys(new AssetSymbol("ETH"), new AssetSymbol("SOL"))
                .containsEntry(new AssetSymbol("ETH"), Usd.of(2500));
        assertThat(setup.market())
                .isEqualTo(new PaperMarket(false, Fraction.of("0.4"), Set.of(new AssetSymbol("DOGE"))));
    }

    @Test
    void wrong_prices_and_markets_are_listed_with_those_of_the_holdings() {
        assertThat(problems(",\"prices\":{\"E T\":1,\"SOL\":0,\"ADA\":null,\"ltc\":1,\"LTC\":2}"))
                .containsExactly(
                        "prices.E T must be 1 to 32 of A-Z a-z 0-9 . - / _.",
                        "prices.SOL must be above 0.",
                        "prices.ADA must not be null.",
                        "prices lists LTC twice; symbols are compared in upper case.");
        assertThat(problems(",\"market\":{\"fillShare\":1.1,\"rejects\":[1],\"speed\":1},\"more\":1"))
                .containsExactly(
                        "market.fillShare must be a number from 0 to 1.",
                        "market.rejects[0] must be 1 to 32 of A-Z a-z 0-9 . - / _.",
                        "market.speed is not a known field.",
                        "more is not a known field.");
        assertThat(problems(",\"market\":{\"fillShare\":0}")).containsExactly("market.fillShare must be above 0.");
    }

    private static Reading<PaperSetup> read(String more) {
        return PaperSetupDocument.read("paper", JsonSamples.object("{" + HOLDINGS + more + "}"), SampleValues.NOON);
    }

    private static List<String> problems(String more) {
        return read(more)
                .fold(
                        setup -> List.<String>of(),
                        problems -> problems.stream().map(Problem::message).toList());
    }
}
