package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.NpmProject.Result;
import dev.agentpolicy.domain.compare.PolicyComparison;
import dev.agentpolicy.domain.compare.PolicyRelation;
import dev.agentpolicy.domain.compare.RandomPolicies;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The relation of random pairs of policies is the one that the solver Z3 finds from the written rules alone. */
class ComparisonSolverTest {
    private static final int PAIRS = ExperimentSettings.times("pairs", 100, 10_000);
    /** Pairs for one run of the solver, which then takes less than a minute. */
    private static final int AT_ONCE = 250;

    @Test
    void the_solver_finds_the_relation_of_random_pairs(@TempDir Path folder) throws Exception {
        NpmProject node = NpmProject.install("node/solver", "the relation of policies by a solver");
        long seed = ExperimentSettings.seed(ComparisonSolverTest.class);
        List<String> pairs = new ArrayList<>();
        List<PolicyRelation> relations = new ArrayList<>();
        for (long at = seed; at < seed + PAIRS; at++) {
            RandomPolicies random = new RandomPolicies(at);
            Ips from = random.draw();
            Ips to = random.changed(from);
            relations.add(PolicyComparison.of(from, to, RandomPolicies.NOW).relation());
            pairs.add("{\"now\":\"" + RandomPolicies.NOW + "\",\"from\":" + json(from) + ",\"to\":" + json(to) + "}");
        }
        List<String> answers = new ArrayList<>();
        for (int at = 0; at < PAIRS; at += AT_ONCE) {
            answers.addAll(answers(node, folder, pairs.subList(at, Math.min(PAIRS, at + AT_ONCE))));
        }

        assertThat(answers).hasSize(PAIRS);
        int unknown = 0;
        for (int i = 0; i < PAIRS; i++) {
            if (answers.get(i).contains("null")) {
                unknown++;
            } else {
                assertThat(answers.get(i))
                        .as("Seed %d: %s%n%s", seed + i, relations.get(i), pairs.get(i))
                        .isEqualTo(answer(relations.get(i)));
            }
        }
        System.out.printf("The solver agrees on %d pairs; on %d it did not know.%n", PAIRS - unknown, unknown);
        assertThat(unknown).isLessThanOrEqualTo(PAIRS / 20);
    }

    private static List<String> answers(NpmProject node, Path folder, List<String> pairs) throws Exception {
        Path asked = Files.write(folder.resolve("pairs"), pairs);
        Path answered = folder.resolve("answers");
        Result result = node.run(
                Map.of(), List.of("npm", "run", "--silent", "start", "--", asked.toString(), answered.toString()));
        assertThat(result.exitCode()).describedAs(result.text()).isZero();
        return Files.readAllLines(answered);
    }

    private static String answer(PolicyRelation relation) {
        boolean isLooser = relation == PolicyRelation.LOOSER || relation == PolicyRelation.MIXED;
        boolean isTighter = relation == PolicyRelation.TIGHTER || relation == PolicyRelation.MIXED;
        return "{\"looser\":" + isLooser + ",\"tighter\":" + isTighter + "}";
    }

    private static String json(Ips ips) {
        return CanonicalForm.write(IpsDocument.toSigned(ips));
    }
}
