package dev.agentpolicy.domain.portfolio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HoldingsDocumentTest {

    @Test
    void money_and_quantities_may_be_numbers_or_decimal_texts() {
        String sent = """
                {"name":"Broker","kind":"paper","cash":"10.50","positions":[
                  {"symbol":"btc","assetType":"crypto","quantity":0.10,"price":"60000.00"}]}""";

        CustodianHoldings holdings = HoldingsDocument.read("b", JsonSamples.object(sent), SampleValues.NOON)
                .orElseThrow();

        assertThat(holdings.cash()).isEqualTo(Usd.of("10.5"));
        assertThat(holdings.positions().get(0).quantity()).isEqualTo(new BigDecimal("0.1"));
        assertThat(holdings.total()).isEqualTo(Usd.of("6010.5"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "kind":"paper","cash":1,"positions":[]                        | name is missing.
            "name":"B","kind":"bank","cash":1,"positions":[]              | kind must be paper.
            "name":"B","kind":"paper","positions":[]                      | cash is missing.
            "name":"B","kind":"paper","cash":-1,"positions":[]            | cash must be a number from 0 to 1000000000000.
            "name":"B","kind":"paper","cash":"1e3","positions":[]         | cash must be a number.
            "name":"B","kind":"paper","cash":1                            | positions is missing.
            "name":"B","kind":"paper","cash":1,"positions":[1]            | positions[0] must be an object.
            "name":"B","kind":"paper","cash":1,"positions":[{"symbol":"A","assetType":"crypto","quantity":1}] | positions[0].price is missing.
            "name":"B","kind":"paper","cash":1,"positions":[{"symbol":"A","assetType":"crypto","quantity":-1,"price":1}] | positions[0].quantity must be a number from 0 to 1000000000000000.
            "name":"B","kind":"paper","cash":1,"positions":[{"symbol":"A","assetType":"crypto","quantity":1,"price":1},{"symbol":"a","assetType":"crypto","quantity":1,"price":1}] | positions[1].symbol must not be listed twice in one sleeve.
            """)
    void each_problem_names_its_field(String members, String message) {
        assertThat(HoldingsDocument.read("b", JsonSamples.object("{" + members + "}"), SampleValues.NOON)
                        .problems())
                .extracting(Problem::message)
                .containsExactly(message);
    }
}
