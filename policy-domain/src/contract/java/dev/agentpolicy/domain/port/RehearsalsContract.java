package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.compare.PolicyTests;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.ShadowIps;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link Rehearsals}. */
public interface RehearsalsContract extends StoreContract {

    @Test
    default void tests_are_read_as_they_were_written_last() {
        UserId user = StoreSamples.user();
        assertThat(ports().rehearsals().tests(user)).isEqualTo(PolicyTests.NONE);

        ports().rehearsals().replaceTests(user, tests("small", 1));
        ports().rehearsals().replaceTests(user, tests("grün 🌱", PolicyTests.MAX));

        assertThat(ports().rehearsals().tests(user)).isEqualTo(tests("grün 🌱", PolicyTests.MAX));
        assertThat(ports().rehearsals().tests(StoreSamples.user())).isEqualTo(PolicyTests.NONE);
        ports().rehearsals().replaceTests(user, PolicyTests.NONE);
        assertThat(ports().rehearsals().tests(user)).isEqualTo(PolicyTests.NONE);
    }

    @Test
    default void of_tests_that_are_written_at_once_one_list_stays() {
        UserId user = StoreSamples.user();

        IntStream.range(0, 8)
                .parallel()
                .forEach(i -> ports().rehearsals().replaceTests(user, tests("writer " + i, i + 1)));

        PolicyTests stored = ports().rehearsals().tests(user);
        List<PolicyTests> written =
                IntStream.range(0, 8).mapToObj(i -> tests("writer " + i, i + 1)).toList();
        assertThat(written).contains(stored);
    }

    @Test
    default void a_removed_user_has_no_tests() {
        UserId user = StoreSamples.user();
        ports().rehearsals().replaceTests(user, tests("gone", 2));

        ports().accountRemoval().remove(user);

        assertThat(ports().rehearsals().tests(user)).isEqualTo(PolicyTests.NONE);
    }

    @Test
    default void a_shadow_is_read_as_it_was_set_last_and_removed_only_while_it_is_the_same() {
        UserId user = StoreSamples.user();
        ShadowIps first = shadow("0.05", 7);
        ShadowIps second = shadow("0.25", 9_007_199_254_740_991L);
        ports().rehearsals().replaceTests(user, tests("kept", 1));

        ports().rehearsals().replaceShadow(user, first);
        ports().rehearsals().replaceShadow(user, second);

        assertThat(ports().rehearsals().shadow(user)).contains(second);
        assertThat(ports().rehearsals().removeShadow(user, first)).isFalse();
        assertThat(ports().rehearsals().shadow(StoreSamples.user())).isEmpty();
        assertThat(ports().rehearsals().removeShadow(user, second)).isTrue();
        assertThat(ports().rehearsals().shadow(user)).isEmpty();
        assertThat(ports().rehearsals().tests(user)).isEqualTo(tests("kept", 1));
    }

    @Test
    default void a_removed_user_has_no_shadow() {
        UserId user = StoreSamples.user();
        ports().rehearsals().replaceShadow(user, shadow("0.05", 1));

        ports().accountRemoval().remove(user);

        assertThat(ports().rehearsals().shadow(user)).isEmpty();
    }

    private static ShadowIps shadow(String cashFloor, long fromSeq) {
        Ips statement = Document.parse("{\"crypto\":{\"min\":0,\"target\":0.2,\"max\":0.35},"
                        + "\"tradfi\":{\"min\":0,\"target\":0.65,\"max\":0.8},\"cashFloor\":" + cashFloor
                        + ",\"maxDrawdown\":0.25,\"maxSlippage\":0.01}")
                .then(IpsDocument::read)
                .orElseThrow();
        return new ShadowIps(statement, fromSeq == 7, Instant.parse("2026-11-21T09:40:00.123Z"), fromSeq);
    }

    private static PolicyTests tests(String name, int count) {
        String each = IntStream.range(0, count)
                .mapToObj(i -> """
                    {"name":"%s %d","portfolio":{"cash":1000.5,"positions":[{"symbol":"XBT","assetType":"crypto",
                     "quantity":0.000000000000000001,"price":81.25}],"peakValue":2000,"peakDaysAgo":3},
                     "used":{"ruleId":"daily","usd":12.5,"trades":2},
                     "trade":{"action":"buy","assetSymbol":"BTC","assetType":"crypto","amountUsd":100,
                     "expectedSlippagePct":0.5},"at":"2026-11-21T10:40:00+01:00",
                     "expect":{"allowed":false,"rules":["cash_floor"],"maxAllowedUsd":12.34}}\
                    """.formatted(name, i))
                .reduce((a, b) -> a + "," + b)
                .orElseThrow();
        return Document.parse("{\"tests\":[" + each + "]}")
                .then(PolicyTests::read)
                .orElseThrow();
    }
}
