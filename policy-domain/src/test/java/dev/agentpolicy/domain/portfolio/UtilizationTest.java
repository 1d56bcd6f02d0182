package dev.agentpolicy.domain.portfolio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.SampleValues;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The utilization of bands and drawdown limit (docs/reference/agent-api.md). */
class UtilizationTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10000/80000/10000               | 0 1 -0.1 0.15 0.25
            35000/55000/10000               | 1 0 0.15 -0.1 0.25
            20000/65000/15000               | 0.4 0.4 0 0 0.25
            60000/30000/10000               | 2 -1 0.4 -0.35 0.25
            20000/65000/15000 peak 125000   | 0.4 0.4 0 0 0.05
            20000/65000/15000 peak 200000   | 0.4 0.4 0 0 -0.25
            1/1/1                           | 0.933333 -0.866667 0.133333 -0.316667 0.25
            """)
    void bands_targets_and_headroom_are_measured_as_fractions_of_the_whole(String portfolio, String expected) {
        assertThat(told(Utilization.of(SampleValues.portfolio(portfolio), SampleValues.plainIps())))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            20000/65000/15000               | null 0.4 0 0 0.25
            """)
    void a_band_without_width_is_not_measured(String portfolio, String expected) {
        String narrow = "{\"crypto\":{\"min\":0.2,\"target\":0.2,\"max\":0.2}}";

        assertThat(told(Utilization.of(SampleValues.portfolio(portfolio), SampleValues.ips(narrow))))
                .isEqualTo(expected);
    }

    private static String told(Utilization it) {
        return it.cryptoUsed() + " " + it.tradfiUsed() + " " + it.cryptoDrift() + " " + it.tradfiDrift() + " "
                + it.drawdownHeadroom();
    }
}
