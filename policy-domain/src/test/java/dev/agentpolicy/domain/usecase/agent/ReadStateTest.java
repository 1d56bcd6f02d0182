package dev.agentpolicy.domain.usecase.agent;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.RowJson;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.ReadEvents.PageWithSignedHead;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What agents and users can read of an account. */
class ReadStateTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final ReadState read = new ReadState(fixture.store, fixture.store.dailyCalls(), fixture.clock);

    @Test
    void a_mandate_has_the_ips_the_portfolio_and_what_the_key_used_today() {
        Caller agent = fixture.agent("{}");
        fixture.queued(agent, "buy 100 BTC crypto");

        ReadState.Mandate mandate = UseCaseFixture.given(read.mandate(agent, null));

        assertThat(mandate.key()).isEqualTo(agent.key());
        assertThat(mandate.ips()).isEqualTo(read.ips(USER).orElseThrow().version());
        assertThat(mandate.ips().ips()).isEqualTo(SampleValues.plainIps());
        assertThat(mandate.holdings().portfolio()).isEqualTo(fixture.portfolio());
        assertThat(mandate.used()).isEqualTo(fixture.tally(agent).used(null));
        assertThat(mandate.used().calls()).isOne();
        fixture.clock.advance(Duration.ofHours(12));
        assertThat(UseCaseFixture.given(read.mandate(agent, null)).used().calls())
                .isZero();
        assertThat(UseCaseFixture.given(read.holdings(agent)).portfolio()).isEqualTo(fixture.portfolio());
    }

    @Test
    void the_calls_of_a_capped_key_are_those_counted_on_admission() {
        Caller agent = fixture.agent("{\"dailyCallCap\":9}");
        fixture.validated(agent, "buy 100 BTC crypto");
        fixture.counted(agent);

        assertThat(UseCaseFixture.given(read.mandate(agent, 2L)).used().calls()).isEqualTo(2);
        assertThat(read.used(USER, agent.key()).calls()).isEqualTo(2);
        assertThat(fixture.tally(agent).calls()).isOne();
        fixture.clock.advance(Duration.ofHours(12));
        assertThat(read.used(USER, agent.key()).calls()).isZero();
    }

    @Test
    void a_key_revoked_after_admission_reads_nothing() {
        Caller agent = fixture.agent("{}");
        UseCaseFixture.given(fixture.keys.revoke(USER, agent.key().id()));

        assertThat(UseCaseFixture.refused(read.mandate(agent, null))).isEqualTo(Refusal.unauthorized());
        assertThat(UseCaseFixture.refused(read.holdings(agent))).isEqualTo(Refusal.unauthorized());
    }

    @Test
    void a_key_rotated_after_admission_reads_nothing() {
        Caller agent = fixture.agent("{}");
        AgentKey rotated = UseCaseFixture.given(
                        fixture.keys.rotate(USER, agent.key().id()))
                .key();

        assertThat(UseCaseFixture.refused(read.mandate(agent, null))).isEqualTo(Refusal.unauthorized());
        assertThat(UseCaseFixture.given(read.mandate(new Caller(rotated, USER, agent.useCases(), "127.0.0.1"), null))
                        .key())
                .isEqualTo(rotated);
    }

    @Test
    void a_key_of_another_account_reads_nothing() {
        Caller agent = fixture.agent("{}");
        Caller elsewhere = new Caller(agent.key(), new UserId(new UUID(0, 99)), agent.useCases(), "127.0.0.1");

        assertThat(UseCaseFixture.refused(read.mandate(elsewhere, null))).isEqualTo(Refusal.unauthorized());
    }

    @Test
    void a_key_without_the_read_scope_reads_nothing() {
        Caller agent = fixture.agent("live", "\"validate\"", "{}");

        assertThat(UseCaseFixture.refused(read.mandate(agent, null))).isEqualTo(Refusal.forbidden(Scope.READ));
        assertThat(UseCaseFixture.refused(read.holdings(agent))).isEqualTo(Refusal.forbidden(Scope.READ));
    }

    @Test
    void an_empty_account_has_no_ips_and_no_portfolio() {
        UserId nobody = new UserId(new UUID(0, 99));

        assertThat(read.ips(nobody)).isEmpty();
        assertThat(read.portfolio(nobody)).isEmpty();
        assertThat(read.ipsVersions(nobody, Integer.MAX_VALUE, 10)).isEmpty();
        assertThat(read.ipsVersion(nobody, 1)).isEmpty();
        assertThat(read.history(nobody, 30)).isEmpty();
    }

    @Test
    void versions_are_read_newest_first() {
        UseCaseFixture.given(fixture.amendIps.put(USER, SampleValues.ips("{\"tier\":3}")));

        assertThat(read.ipsVersions(USER, Integer.MAX_VALUE, 10))
                .extracting(IpsVersion::version)
                .containsExactly(2, 1);
        assertThat(read.ipsVersion(USER, 1)).map(IpsVersion::ips).contains(SampleValues.plainIps());
        assertThat(read.portfolio(USER)).contains(fixture.portfolio());
    }

    @Test
    void the_history_covers_the_given_number_of_days() {
        Portfolio first = fixture.portfolio();
        fixture.clock.advance(Duration.ofDays(5));
        fixture.hold(30_000, 55_000, 20_000);
        PortfolioDay today = PortfolioDay.of(fixture.portfolio());

        assertThat(read.history(USER, 5)).containsExactly(PortfolioDay.of(first), today);
        assertThat(read.history(USER, 4)).containsExactly(today);
    }

    @Test
    void events_come_with_a_freshly_signed_head() {
        JdkSigner signer = new JdkSigner();
        ReadEvents events = new ReadEvents(fixture.store.eventLog(), signer, fixture.clock, user -> 0);

        PageWithSignedHead pages = events.read(USER, EventQuery.all());

        StringBuilder expected = new StringBuilder();
        fixture.events().forEach(row -> RowJson.append(expected.length() == 0 ? expected : expected.append(','), row));
        assertThat(new String(pages.page().rows(), StandardCharsets.UTF_8)).isEqualTo(expected.toString());
        assertThat(pages.head().hash())
                .isEqualTo(fixture.store.eventLog().head(USER).hash());
        assertThat(pages.head().issuedAt()).isEqualTo(fixture.clock.instant());
        assertThat(pages.head().signingKeyId()).isEqualTo(signer.keyId());

        PageWithSignedHead later = events.read(USER, EventQuery.all());
        assertThat(later.head()).isEqualTo(pages.head());
        assertThat(later.page().rows()).isEqualTo(pages.page().rows());
    }
}
