package dev.agentpolicy.domain.usecase.policy;

import static dev.agentpolicy.domain.sample.SampleValues.violations;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.KeyChange;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.PreviewIps.PreviewedDecision;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreviewIpsTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{\"dailyUsdCap\":1000}");
    private final PreviewIps preview = new PreviewIps(fixture.audit, fixture.store);

    @Test
    void a_preview_shows_decisions_that_would_differ_newest_first() {
        fixture.validated(agent, "buy 100 BTC crypto");
        fixture.validated(agent, "buy 9000 BTC crypto");

        List<PreviewedDecision> lines =
                preview(SampleValues.ips("{\"crypto\":{\"min\":0.1,\"target\":0.2,\"max\":0.30}}"));

        assertThat(lines).extracting(PreviewedDecision::isDifferent).containsExactly(false, true);
        assertThat(violations(lines.get(1).preview())).isEqualTo("crypto_max_allocation 0.3 0.301");
        assertThat(lines.get(1).preview().ipsVersion()).isEqualTo(2);
        assertThat(lines.get(1).was().decision().isAllowed()).isTrue();
    }

    @Test
    void a_preview_decides_as_if_the_key_were_not_paused() {
        fixture.validated(agent, "buy 100 BTC crypto");
        given(fixture.keys.change(
                USER,
                agent.key().id(),
                KeyChange.read(JsonSamples.object("{\"paused\":true}")).orElseThrow()));

        assertThat(preview(SampleValues.ips("{}")))
                .extracting(PreviewedDecision::isDifferent)
                .containsExactly(false);
    }

    @Test
    void previewing_the_same_ips_changes_no_decision() {
        fixture.validated(agent, "buy 100 BTC crypto");
        fixture.validated(agent, "buy 9000 BTC crypto 3%");
        fixture.proposed(agent, "buy 900 BTC crypto", null);
        fixture.proposed(agent, "buy 200 BTC crypto", null);
        fixture.hold(20_000, 60_000, 20_000);
        fixture.clock.advance(Duration.ofDays(2));

        assertThat(preview(SampleValues.plainIps()))
                .hasSize(4)
                .allSatisfy(line -> assertThat(line.preview().violations())
                        .isEqualTo(line.was().decision().violations()));
    }

    @Test
    void a_rejection_by_the_user_is_left_out() {
        given(fixture.attest.reject(USER, fixture.queued(agent, "buy 100 BTC crypto"), "no"));
        given(fixture.attest.accept(USER, fixture.queued(agent, "buy 100 BTC crypto")));

        List<PreviewedDecision> lines = preview(SampleValues.plainIps());

        assertThat(lines).hasSize(3).noneMatch(PreviewedDecision::isDifferent);
        assertThat(lines.get(0).was().attestation()).isNotNull();
    }

    @Test
    void trades_that_could_not_be_read_are_left_out() {
        fixture.validated(agent, List.of("", "buy 100 BTC crypto"));

        assertThat(preview(SampleValues.plainIps())).hasSize(1);
    }

    @Test
    void a_preview_examines_200_decisions_and_stores_nothing() {
        for (int i = 0; i < 9; i++) {
            fixture.validated(agent, Collections.nCopies(25, "buy 1 BTC crypto"));
        }
        int rows = fixture.events().size();

        assertThat(preview(SampleValues.plainIps())).hasSize(PreviewIps.MAX_DECISIONS);
        assertThat(fixture.events()).hasSize(rows);
        assertThat(fixture.store.view(USER).ips().version()).isEqualTo(1);
    }

    private List<PreviewedDecision> preview(Ips draft) {
        return preview.preview(USER, Amendment.of(draft)).fold(lines -> lines, refusal -> {
            throw new AssertionError("Refused: " + refusal);
        });
    }
}
