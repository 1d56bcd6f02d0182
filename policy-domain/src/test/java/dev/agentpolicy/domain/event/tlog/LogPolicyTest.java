package dev.agentpolicy.domain.event.tlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.tlog.LogPolicy.Witnessing;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies as C2SP tlog-policy describes them. */
class LogPolicyTest {
    private static final String LOG = VerifierKey.of("example.com/log", VerifierKey.ED25519, TestKey.ANCHOR.x())
            .text();
    private static final String ONE = witness("one", TestKey.ONE);
    private static final String TWO = witness("two", TestKey.TWO);
    private static final String THREE = witness("three", TestKey.ROOT);
    /** A type without signatures that could be checked here. */
    private static final String UNKNOWN = "pq+00112233+Bqq7zA==";

    private static String witness(String name, TestKey key) {
        return VerifierKey.of(name, VerifierKey.COSIGNATURE, key.x()).text();
    }

    @Test
    void groups_of_groups_make_a_quorum() {
        LogPolicy policy = read("""
                # two of the first three, and the last
                log LOG https://example.com/log
                \twitness X1  ONE
                witness X2 TWO https://witness.example/
                witness X3 UNKNOWN

                group X-witnesses 2 X1 X2 X3
                witness Y THREE
                group Y-witnesses any Y
                group both all X-witnesses Y-witnesses
                quorum both
                """);

        assertThat(policy.logs().get(0).url()).isEqualTo("https://example.com/log");
        assertThat(policy.witnessKeys()).hasSize(4);
        assertThat(policy.witnesses().get("X1").url()).isNull();
        assertThat(isMet(policy, "X1", "X2", "Y")).isTrue();
        assertThat(isMet(policy, "X1", "X2")).isFalse();
        assertThat(isMet(policy, "X1", "Y")).isFalse();
        assertThat(isMet(policy, "Y")).isFalse();
    }

    @Test
    void the_quorum_is_missing_since_the_last_witness_went_that_it_could_not_do_without() {
        LogPolicy policy = read("witness a ONE\nwitness b TWO\nwitness c THREE\ngroup g 2 a b c\nquorum g\n");
        Instant noon = Instant.parse("2026-11-21T12:00:00Z");
        Instant minute = noon.plusSeconds(60);

        assertThat(policy.witnessing(Map.of(), minute)).isEqualTo(new Witnessing(3, List.of(), null));
        assertThat(policy.witnessing(Map.of(ONE, noon.plusSeconds(61), "other", noon), minute))
                .describedAs("one that may still answer, and one of another policy")
                .isEqualTo(new Witnessing(3, List.of(), null));
        Witnessing one = policy.witnessing(Map.of(ONE, noon), minute);
        assertThat(one.cosigning()).isEqualTo(2);
        assertThat(one.missing()).singleElement().satisfies(it -> {
            assertThat(it.key().name()).isEqualTo("one");
            assertThat(it.since()).isEqualTo(noon);
        });
        assertThat(one.noQuorumSince()).isNull();
        assertThat(policy.witnessing(Map.of(ONE, noon, TWO, minute), minute).noQuorumSince())
                .isEqualTo(minute);
        assertThat(policy.witnessing(Map.of(ONE, noon, TWO, minute, THREE, noon.plusSeconds(7)), minute)
                        .noQuorumSince())
                .isEqualTo(noon.plusSeconds(7));
        assertThat(read("witness a ONE\nquorum none").witnessing(Map.of(ONE, noon), minute))
                .extracting(Witnessing::cosigning, Witnessing::noQuorumSince)
                .containsExactly(0, null);
    }

    @Test
    void a_quorum_of_one_witness_and_a_quorum_of_none() {
        assertThat(isMet(read("witness a ONE\nquorum a"), "a")).isTrue();
        assertThat(isMet(read("witness a ONE\nquorum a"))).isFalse();
        assertThat(isMet(read("quorum none\n"))).isTrue();
    }

    @Test
    void names_are_opaque_bytes() {
        byte[] file = ("witness \u00fc " + ONE + "\nquorum \u00fc\n").getBytes(StandardCharsets.UTF_8);
        byte[] latin = ("witness \u00fc " + ONE + "\nquorum \u00fc\n").getBytes(StandardCharsets.ISO_8859_1);

        assertThat(LogPolicy.read(file).isRead()).isTrue();
        assertThat(LogPolicy.read(latin).isRead()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "witness a ONE                                 | The policy has no quorum line.",
                "quorum a                                      | Line 1 of the policy: the quorum is not defined before.",
                "quorum none;quorum none                       | Line 2 of the policy: there is a quorum already.",
                "quorum none none                              | Line 1 of the policy: a quorum is: quorum NAME.",
                "witness a ONE;witness a TWO                   | Line 2 of the policy: its name is taken.",
                "witness none ONE                              | Line 1 of the policy: its name is taken.",
                "witness a ONE;witness b ONE                   | Line 2 of the policy: this key is another witness's too.",
                "witness a LOG                                 | Line 1 of the policy: this is the key of a log, not of a witness.",
                "log LOG;log LOG                               | Line 2 of the policy: this key is another log's too.",
                "log LOG a b                                   | Line 1 of the policy: a log is: log KEY [URL].",
                "log x                                         | Line 1 of the policy: A verifier key is name+id+key, the key in base64.",
                "witness a                                     | Line 1 of the policy: a witness is: witness NAME KEY [URL].",
                "group a all                                   | Line 1 of the policy: a group is: group NAME all, any or NUMBER, NAME....",
                "group a all b                                 | Line 1 of the policy: the member b is not defined before.",
                "group a all a                                 | Line 1 of the policy: the member a is not defined before.",
                "group a all none                              | Line 1 of the policy: the member none is not defined before.",
                "witness a ONE;group g 0 a                     | Line 2 of the policy: a group needs all, any or a number from 1 to that of its members.",
                "witness a ONE;group g 2 a                     | Line 2 of the policy: a group needs all, any or a number from 1 to that of its members.",
                "witness a ONE;group g 01 a                    | Line 2 of the policy: a group needs all, any or a number from 1 to that of its members.",
                "witness a ONE;group g all a a                 | Line 2 of the policy: the member a is in a group already.",
                "witness a ONE;group g all a;group h any a     | Line 3 of the policy: the member a is in a group already.",
                "witness a ONE;group a any a                   | Line 2 of the policy: its name is taken.",
                "witnesses a ONE                               | Line 1 of the policy: it begins with none of log, witness, group and quorum.",
                "# a\u0001;quorum none                           | Line 1 of the policy: a control character is not allowed."
            })
    void a_policy_that_is_not_right_is_refused_with_its_line(String lines, String problem) {
        assertThat(LogPolicy.read(file(lines.strip().replace(';', '\n'))).problems())
                .singleElement()
                .extracting(it -> it.message())
                .isEqualTo(problem);
    }

    private static LogPolicy read(String text) {
        return LogPolicy.read(file(text)).orElseThrow();
    }

    private static byte[] file(String text) {
        return text.replace("UNKNOWN", UNKNOWN)
                .replace("ONE", ONE)
                .replace("TWO", TWO)
                .replace("THREE", THREE)
                .replace("LOG", LOG)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static boolean isMet(LogPolicy policy, String... cosigned) {
        List<VerifierKey> keys = Arrays.stream(cosigned)
                .map(name -> policy.witnesses().get(name).key())
                .toList();
        return policy.isMet(keys);
    }
}
