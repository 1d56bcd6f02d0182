package dev.agentpolicy.domain.usecase.policy;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.ips.ApprovalCounts;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AmendIpsTest {
    private final UseCaseFixture fixture = new UseCaseFixture();

    @Test
    void every_change_makes_a_new_version_and_an_identical_ips_makes_none() {
        AmendIps.Amended first = put("{}");
        AmendIps.Amended same = put("{\"cashFloor\":0.050}");
        AmendIps.Amended paused = put("{\"allowedActions\":[]}");
        AmendIps.Amended back = put("{}");

        assertThat(first.version()).isEqualTo(new IpsVersion(1, SampleValues.plainIps(), SampleValues.NOON));
        assertThat(same).isEqualTo(new AmendIps.Amended(first.version(), false, ApprovalCounts.NONE));
        assertThat(paused.version().version()).isEqualTo(2);
        assertThat(back.version().version()).isEqualTo(3);
        assertThat(back.isNew()).isTrue();
        assertThat(fixture.eventKinds()).containsExactly("ips.created", "ips.amended", "ips.amended");
        assertThat(fixture.store.ipsVersions(USER, Integer.MAX_VALUE, 10))
                .extracting(IpsVersion::version)
                .containsExactly(3, 2, 1);
    }

    @Test
    void the_event_has_the_whole_document() {
        put("{}");
        put("{\"tier\":4}");

        Document amended = UseCaseFixture.payload(fixture.events().get(1));

        assertThat(amended.get("ipsVersion")).hasToString("2");
        assertThat(amended.get("previousIpsVersion")).hasToString("1");
        assertThat(IpsDocument.readSigned((Document) amended.get("document")).orElseThrow())
                .isEqualTo(SampleValues.ips("{\"tier\":4}"));
    }

    @Test
    void a_drift_makes_one_event_when_it_begins_and_one_when_it_ends() {
        fixture.hold(30_000, 55_000, 15_000);
        put("{}");
        put("{\"crypto\":{\"min\":0.1,\"target\":0.2,\"max\":0.25}}");
        put("{\"crypto\":{\"min\":0.1,\"target\":0.2,\"max\":0.24}}");
        put("{\"crypto\":{\"min\":0.1,\"target\":0.2,\"max\":0.3}}");

        assertThat(fixture.eventKinds())
                .containsExactly(
                        "ips.created",
                        "ips.amended",
                        "policy.drift_detected",
                        "ips.amended",
                        "ips.amended",
                        "policy.drift_cleared");
        assertThat(UseCaseFixture.payload(fixture.events().get(2)).get("rule")).isEqualTo("crypto_max_allocation");
        assertThat(UseCaseFixture.payload(fixture.events().get(2)).get("limit")).isEqualTo("0.25");
        assertThat(UseCaseFixture.payload(fixture.events().get(5)).get("limit")).isEqualTo("0.3");
    }

    @Test
    void an_ips_too_large_to_fit_into_a_decision_is_refused() {
        Refusal refusal = refused(fixture.amendIps.put(USER, SampleValues.ips(rules("\u4e2d".repeat(300)))));

        assertThat(refusal.code()).isEqualTo(Code.INVALID);
        assertThat(refusal.problems().get(0).field()).isEqualTo("standingRules");
        assertThat(fixture.events()).isEmpty();
        assertThat(put(rules("x".repeat(300))).isNew()).isTrue();
    }

    @Test
    void an_ips_may_have_at_most_half_the_bytes_of_a_row() {
        int bytes = CanonicalForm.writeStored(IpsDocument.toSigned(SampleValues.ips(padded(0))))
                .getBytes(StandardCharsets.UTF_8)
                .length;
        int most = CanonicalForm.MAX_BYTES / 2;

        assertThat(put(padded(most - bytes)).isNew()).isTrue();
        assertThat(refused(fixture.amendIps.put(USER, SampleValues.ips(padded(most + 1 - bytes))))
                        .message())
                .isEqualTo("The statement is too long; use fewer rules or assets.");
    }

    @Test
    void a_decision_names_its_ips_version() {
        UseCaseFixture furnished = UseCaseFixture.furnished();
        Caller agent = furnished.agent("{}");
        given(furnished.amendIps.put(USER, SampleValues.ips("{\"allowedActions\":[]}")));

        assertThat(furnished.validated(agent, "buy 1 BTC crypto").value().ipsVersion())
                .isEqualTo(2);
        assertThat(furnished
                        .validated(agent, List.of("buy 1 BTC crypto"))
                        .get(0)
                        .isAllowed())
                .isFalse();
    }

    private AmendIps.Amended put(String changes) {
        return given(fixture.amendIps.put(USER, SampleValues.ips(changes)));
    }

    private static String rules(String reason) {
        return IntStream.range(0, 50)
                .mapToObj(i -> "{\"id\":\"r" + i + "\",\"effect\":\"block\",\"reason\":\"" + reason + "\"}")
                .collect(Collectors.joining(",", "{\"standingRules\":[", "]}"));
    }

    /** Fifty rules whose reasons together have this many additional characters. */
    private static String padded(int more) {
        return IntStream.range(0, 50)
                .mapToObj(i -> "{\"id\":\"r%02d\",\"effect\":\"block\",\"reason\":\"%s\"}"
                        .formatted(i, "\u4e2d".repeat(190) + "x".repeat(Math.max(0, Math.min(more - i * 100, 100)))))
                .collect(Collectors.joining(",", "{\"standingRules\":[", "]}"));
    }
}
