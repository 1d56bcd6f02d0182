package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.PaperSetupDocument;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import org.junit.jupiter.api.Test;

class ObservePortfolioTest {
    private final UseCaseFixture fixture = new UseCaseFixture();

    @Test
    void every_observation_makes_a_new_revision() {
        Portfolio first = fixture.hold(30_000, 55_000, 15_000);
        Portfolio second = fixture.hold(20_000, 55_000, 15_000);

        assertThat(first.revision()).isEqualTo(1);
        assertThat(second.revision()).isEqualTo(2);
        assertThat(second.peak()).isEqualTo(Usd.of(100_000));
        assertThat(fixture.store.view(USER).portfolio()).isEqualTo(second);
        assertThat(fixture.events()).isEmpty();
    }

    @Test
    void each_crossing_makes_one_drift_event() {
        given(fixture.amendIps.put(USER, SampleValues.plainIps()));
        fixture.hold(30_000, 55_000, 15_000);
        fixture.hold(40_000, 55_000, 5_000);
        fixture.hold(41_000, 55_000, 4_000);
        fixture.hold(30_000, 60_000, 10_000);

        assertThat(fixture.events().stream()
                        .skip(1)
                        .map(event -> event.kind().wireName() + " "
                                + UseCaseFixture.payload(event).get("rule")))
                .containsExactly(
                        "policy.drift_detected crypto_max_allocation",
                        "policy.drift_detected cash_floor",
                        "policy.drift_cleared crypto_max_allocation",
                        "policy.drift_cleared cash_floor");
    }

    @Test
    void a_first_portfolio_outside_its_bands_has_drifted() {
        given(fixture.amendIps.put(USER, SampleValues.plainIps()));
        fixture.hold(100, 1_000, 10_000);

        assertThat(fixture.eventKinds())
                .containsExactly("ips.created", "policy.drift_detected", "policy.drift_detected");
    }

    @Test
    void a_user_has_at_most_twenty_custodians() {
        for (int i = 0; i < ObservePortfolio.MAX_CUSTODIANS; i++) {
            given(observe("c" + i));
        }

        assertThat(refused(observe("one-more")).code()).isEqualTo(Code.TOO_MANY);
        assertThat(given(observe("c3")).custodians()).hasSize(ObservePortfolio.MAX_CUSTODIANS);
    }

    @Test
    void one_asset_has_one_price_however_it_is_spelled() {
        PaperSetup setup = PaperSetupDocument.read("a", JsonSamples.object("""
                                {"name":"a","kind":"paper","cash":1,"positions":[],"prices":{"XBT":1,"BTC":2}}"""), SampleValues.NOON)
                .orElseThrow();

        assertThat(refused(fixture.observe.observe(USER, setup)).problems())
                .containsExactly(new Problem(
                        "prices", "prices must not list an asset twice: BTC and XBT are spellings of one asset."));
        assertThat(fixture.store.view(USER).portfolio()).isNull();
    }

    private Answer<Portfolio> observe(String id) {
        String sent = "{\"name\":\"a\",\"kind\":\"paper\",\"cash\":1,\"positions\":[]}";
        return fixture.observe.observe(USER, UseCaseFixture.setup(id, sent));
    }
}
