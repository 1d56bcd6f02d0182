package dev.agentpolicy.domain.compare;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.ips.Ips;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tests of an owner's policy (docs/reference/policy-tests.md).
 *
 * @param tests in the order of the owner, each with a name of its own
 */
public record PolicyTests(List<PolicyTest> tests) {
    /** Maximum number of tests. */
    public static final int MAX = 200;

    /** No tests. */
    public static final PolicyTests NONE = new PolicyTests(List.of());

    /** The members that users send, and that are stored. */
    public static final Schema<PolicyTests> SCHEMA = Schema.<PolicyTests>of(
                    row -> new PolicyTests(row.next()),
                    required("tests", Codec.list(MAX, PolicyTest.SCHEMA), PolicyTests::tests))
            .checked(row -> {
                List<PolicyTest> tests = row.next();
                Set<String> names = new HashSet<>();
                if (tests != null && !tests.stream().map(PolicyTest::name).allMatch(names::add)) {
                    row.problem("tests", "must not have one name twice");
                }
            });

    public PolicyTests {
        tests = List.copyOf(tests);
    }

    /**
     * What came of a run.
     *
     * @param results one for each test, in their order
     */
    public record Run(List<PolicyTest.Result> results) {
        public Run {
            results = List.copyOf(results);
        }

        /** The tests that were not decided as expected. */
        public List<PolicyTest.Result> failures() {
            return results.stream().filter(result -> !result.isPassed()).toList();
        }
    }

    /** Reads tests with numbers as numbers. */
    public static Reading<PolicyTests> read(Document sent) {
        return SCHEMA.read(sent, Decimals.NUMBERS);
    }

    /**
     * Decides every test by the evaluator. Takes milliseconds.
     *
     * @param ips a policy with canonical symbols
     * @param now the time of tests without a time
     */
    public Run run(Ips ips, Instant now) {
        return new Run(tests.stream().map(test -> test.run(ips, now)).toList());
    }
}
