package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.SignedUpOwner;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The owner, and nobody who only has a session, takes a loss out of the drawdown. */
class BeginPeakTest extends SignedUpOwner {
    private final BeginPeak peak = new BeginPeak(fixture.store, passkeys);
    private final Caller agent = fixture.agent("{}");

    /** 100 000 USD, then 70 000. */
    private void lose() {
        given(fixture.amendIps.put(USER, SampleValues.plainIps()));
        fixture.hold(30_000, 55_000, 15_000);
        fixture.hold(15_000, 40_000, 15_000);
    }

    @Test
    void a_confirmed_new_peak_counts_the_drawdown_from_the_present_total() {
        lose();
        Portfolio fallen = fixture.portfolio();
        assertThat(fallen.snapshot().orElseThrow().currentDrawdown()).hasToString("0.3");
        assertThat(fixture.validated(agent, "buy 1000 BTC crypto").value().reason())
                .isEqualTo("1 violation: drawdown_exceeded");

        IpsVersion begun = given(peak.begin(BROWSER, RIGHT));

        assertThat(begun.version()).isEqualTo(2);
        assertThat(begun.ips()).isEqualTo(SampleValues.plainIps().withDrawdownSince(SampleValues.NOON));
        assertThat(fixture.portfolio().peak()).isEqualTo(Usd.of(70_000));
        assertThat(fixture.portfolio().holdingsRevision()).isEqualTo(fallen.holdingsRevision());
        assertThat(fixture.validated(agent, "buy 1000 BTC crypto").value().isAllowed())
                .isTrue();
        fixture.hold(30_000, 55_000, 15_000);
        fixture.hold(25_000, 40_000, 15_000);
        assertThat(fixture.portfolio().snapshot().orElseThrow().currentDrawdown())
                .as("a later peak counts again")
                .hasToString("0.2");
        recomputed();
    }

    @Test
    void without_a_confirmation_or_with_a_wrong_one_nothing_changes() {
        lose();
        Portfolio before = fixture.portfolio();
        int rows = fixture.events().size();

        assertThat(refused(peak.begin(BROWSER, NONE)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(refused(peak.begin(BROWSER, WRONG)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(refused(peak.begin(BROWSER, signedBy(new SoftPasskey()))).code())
                .isEqualTo(Code.INVALID_PASSKEY);

        assertThat(fixture.portfolio()).isEqualTo(before);
        assertThat(fixture.events()).hasSize(rows);
        IntStream.range(0, 4).forEach(i -> refused(peak.begin(BROWSER, WRONG)));
        assertThat(refused(peak.begin(BROWSER, RIGHT)).code()).isEqualTo(Code.SIGN_IN_THROTTLED);
    }

    @Test
    void a_passkey_confirms_as_well_and_once() {
        lose();
        given(register(phone, RIGHT));
        Confirmation signed = signedBy(phone);

        given(peak.begin(BROWSER, signed));

        assertThat(passkeys.of(USER).find(phone.credentialId()).orElseThrow().lastUsedAt())
                .isEqualTo(SampleValues.NOON);
        assertThat(refused(peak.begin(BROWSER, signed)).code()).isEqualTo(Code.INVALID_PASSKEY);
    }

    @Test
    void it_needs_a_policy_and_a_total() {
        assertThat(refused(peak.begin(BROWSER, RIGHT)).code()).isEqualTo(Code.NO_IPS);
        given(fixture.amendIps.put(USER, SampleValues.plainIps()));
        assertThat(refused(peak.begin(BROWSER, RIGHT)).code()).isEqualTo(Code.NO_SNAPSHOT);

        fixture.broker.cash(Usd.of(1_000)).position("BTC", AssetType.CRYPTO, "1", "1000");
        given(fixture.connect.connect(
                USER,
                "alpaca",
                new ConnectRequest(
                        CustodianKind.ALPACA,
                        "Alpaca",
                        new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret"))));
        fixture.clock.advance(Duration.ofMinutes(16));

        assertThat(refused(peak.begin(BROWSER, RIGHT)).message()).isEqualTo("Alpaca was last heard of 16 minutes ago.");
    }

    @Test
    void later_versions_keep_when_the_drawdown_began_whatever_they_say() {
        lose();
        given(peak.begin(BROWSER, RIGHT));
        fixture.clock.advance(Duration.ofDays(1));

        given(fixture.amendIps.pause(USER, true));
        given(fixture.amendIps.pause(USER, false));
        IpsVersion changed = given(fixture.amendIps.put(USER, SampleValues.ips("{\"tier\":3}")))
                .version();
        IpsVersion claimed = given(fixture.amendIps.put(
                        USER, SampleValues.ips("{\"tier\":4}").withDrawdownSince(fixture.clock.instant())))
                .version();
        boolean isNew = given(fixture.amendIps.put(USER, SampleValues.ips("{\"tier\":4}")))
                .isNew();

        assertThat(changed.ips().drawdownSince()).isEqualTo(SampleValues.NOON);
        assertThat(claimed.ips().drawdownSince()).isEqualTo(SampleValues.NOON);
        assertThat(isNew).isFalse();
        assertThat(fixture.payloads(EventKind.IPS_AMENDED))
                .extracting(payload -> ((Document) payload.get("document")).get("drawdownSince"))
                .containsOnly(Instants.format(SampleValues.NOON));
        assertThat(((Document) fixture.payloads(EventKind.IPS_CREATED).get(0).get("document")).members())
                .doesNotContainKey("drawdownSince");
        fixture.validated(agent, "buy 1000 BTC crypto");
        recomputed();
    }

    @Test
    void a_first_policy_says_nothing_of_a_peak() {
        IpsVersion first = given(
                        fixture.amendIps.put(USER, SampleValues.plainIps().withDrawdownSince(SampleValues.NOON)))
                .version();

        assertThat(first.ips().drawdownSince()).isNull();
    }

    private void recomputed() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }
}
