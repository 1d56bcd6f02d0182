package dev.agentpolicy.domain.portfolio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.SampleValues;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriftTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            20000/65000/15000       | -
            35000/60000/5000        | -
            35000.01/60000/4999.99  | crypto_max_allocation 0.35 0.35, cash_floor 0.05 0.05
            10000/80000/10000       | -
            9999.99/80000.01/10000  | crypto_min_allocation 0.1 0.1, tradfi_max_allocation 0.8 0.8
            30000/50000/20000       | tradfi_min_allocation 0.55 0.5
            50000/50000/0           | crypto_max_allocation 0.35 0.5, tradfi_min_allocation 0.55 0.5, cash_floor 0.05 0
            """)
    void a_portfolio_drifts_beyond_a_limit_but_not_on_it(String portfolio, String drifts) {
        String found = Drift.of(SampleValues.portfolio(portfolio), SampleValues.plainIps()).stream()
                .map(it -> it.rule().wireName() + " " + it.limit() + " " + it.actual())
                .collect(Collectors.joining(", "));

        assertThat(found).isEqualTo(drifts == null ? "" : drifts);
    }
}
