package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.json.ComparisonJson;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.RehearsalJson;
import dev.agentpolicy.domain.compare.PolicyChange;
import dev.agentpolicy.domain.compare.PolicyComparison;
import dev.agentpolicy.domain.compare.PolicyFinding;
import dev.agentpolicy.domain.compare.PolicyRelation;
import dev.agentpolicy.domain.compare.PolicyTest;
import dev.agentpolicy.domain.compare.PolicyTests;
import dev.agentpolicy.domain.compare.TradeWitness;
import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.CanonicalIps;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.AssetResolver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares and tests policies in files (docs/policies.md). Needs no settings, no database and no network. */
@Command(name = "policy", description = "Compare and test policies in files.", mixinStandardHelpOptions = true)
final class PolicyCommand implements Callable<Integer> {
    private static final int NOT_HELD = 1;
    private static final int UNREADABLE = 2;
    private static final long MAX_BYTES = 1024 * 1024;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "Say what to do: compare or test.");
    }

    @Command(
            description = "Say what a policy allows that another one does not, with a trade that shows it.",
            mixinStandardHelpOptions = true)
    int compare(
            @Parameters(paramLabel = "OLD.json", description = "The policy that is replaced.") Path old,
            @Parameters(paramLabel = "NEW.json", description = "The policy that replaces it.") Path next,
            @Option(
                            names = "--fail-on",
                            paramLabel = "looser",
                            description = "Exit with 1 if the new policy is looser, mixed or unknown.")
                    @Nullable
                    String failOn,
            @Option(names = "--json", description = "Print JSON.") boolean isJson) {
        if (failOn != null && !failOn.equals(PolicyRelation.LOOSER.wireName())) {
            throw new ParameterException(spec.commandLine(), "--fail-on takes looser.");
        }
        Reading<PolicyComparison> read = read(old)
                .then(before -> read(next)
                        .then(after -> Reading.of(PolicyComparison.of(
                                before, after, Clock.systemUTC().instant()))));
        return read.fold(comparison -> print(comparison, isJson, failOn != null), this::unreadable);
    }

    @Command(
            description = "Run the tests of a policy: trades, and how it must decide them.",
            mixinStandardHelpOptions = true)
    int test(
            @Parameters(paramLabel = "POLICY.json", description = "The policy.") Path policy,
            @Parameters(paramLabel = "TESTS.json", description = "The tests, as { \"tests\": [...] }.") Path tests,
            @Option(names = "--json", description = "Print JSON.") boolean isJson) {
        Reading<PolicyTests.Run> read = read(policy)
                .then(ips -> parsed(tests, PolicyTests::read)
                        .then(sent -> Reading.of(sent.run(ips, Clock.systemUTC().instant()))));
        return read.fold(run -> print(run, isJson), this::unreadable);
    }

    private int unreadable(List<Problem> problems) {
        problems.forEach(problem -> spec.commandLine().getErr().println(problem.message()));
        return UNREADABLE;
    }

    private int print(PolicyTests.Run run, boolean isJson) {
        print(isJson ? json(out -> RehearsalJson.write(out, run, null)) : words(run));
        return run.failures().isEmpty() ? 0 : NOT_HELD;
    }

    private static String json(Consumer<JsonWriter> body) {
        return new String(JsonWriter.object(body), StandardCharsets.UTF_8);
    }

    private void print(String text) {
        spec.commandLine().getOut().println(text);
        spec.commandLine().getOut().flush();
    }

    private int print(PolicyComparison comparison, boolean isJson, boolean failsOnLooser) {
        print(isJson ? json(out -> ComparisonJson.write(out, comparison, null)) : words(comparison));
        return failsOnLooser && !comparison.relation().allowsNothingNew() ? NOT_HELD : 0;
    }

    private static Reading<Ips> read(Path file) {
        return parsed(
                file, sent -> statement(sent).then(ips -> CanonicalIps.of(ips, AssetResolver.ofDirectory(), null)));
    }

    private static <T> Reading<T> parsed(Path file, Function<Document, Reading<T>> reader) {
        byte[] bytes;
        try {
            if (Files.size(file) > MAX_BYTES) {
                return wrong(file, "It has more than " + MAX_BYTES + " bytes.");
            }
            bytes = Files.readAllBytes(file);
        } catch (IOException unreadable) {
            return wrong(file, "It cannot be read.");
        }
        return JsonReader.read(bytes)
                .then(reader)
                .fold(
                        Reading::of,
                        problems -> wrong(
                                file, problems.stream().map(Problem::message).collect(Collectors.joining(" "))));
    }

    private static <T> Reading<T> wrong(Path file, String why) {
        return Reading.wrong(List.of(new Problem("", file + ": " + why)));
    }

    private static Reading<Ips> statement(Document sent) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>(sent.members());
        IpsJson.OF_THE_VERSION.forEach(members::remove);
        return IpsDocument.read(new Document(members, sent.repeated()));
    }

    private static String words(PolicyTests.Run run) {
        int failed = run.failures().size();
        StringBuilder text = new StringBuilder();
        for (PolicyTest.Result result : run.failures()) {
            text.append("Failed: ").append(result.test().name());
            result.unmet().forEach(member -> text.append("\n  ").append(words(member, result)));
            result.decision()
                    .violations()
                    .forEach(violation -> text.append("\n  ").append(violation.message()));
            text.append("\n");
        }
        return text.append(run.results().size() - failed)
                .append(" passed, ")
                .append(failed)
                .append(" failed.")
                .toString();
    }

    private static String words(PolicyTest.Member member, PolicyTest.Result result) {
        PolicyTest.Expectation expected = result.test().expected();
        return switch (member) {
            case ALLOWED ->
                expected.isAllowed() ? "It must be allowed; it is blocked." : "It must be blocked; it is allowed.";
            case RULES ->
                "It must be blocked by " + rules(expected.rules()) + " alone; it is blocked by "
                        + rules(result.decision().violations().stream()
                                .map(Violation::rule)
                                .toList()) + ".";
            case MAX_ALLOWED_USD ->
                "At most " + expected.maxAllowed() + " USD must be allowed; at most " + result.maxAllowed()
                        + " USD are.";
        };
    }

    private static String rules(@Nullable Collection<Rule> rules) {
        return rules == null || rules.isEmpty()
                ? "no rule"
                : rules.stream().distinct().sorted().map(Rule::wireName).collect(Collectors.joining(", "));
    }

    private static String words(PolicyComparison comparison) {
        StringBuilder text = new StringBuilder("The new policy is ")
                .append(comparison.relation().wireName())
                .append(comparison.relation() == PolicyRelation.EQUIVALENT ? " to the old one." : ".");
        for (PolicyChange change : comparison.changes()) {
            text.append("\n  ")
                    .append(change.path())
                    .append(": ")
                    .append(change.relation().wireName());
        }
        for (TradeWitness witness : comparison.witnesses()) {
            boolean isAllowed = witness.after().isAllowed();
            Decision blocking = isAllowed ? witness.before() : witness.after();
            text.append(isAllowed ? "\nNewly allowed: " : "\nNewly blocked: ")
                    .append(words(witness.situation()))
                    .append(isAllowed ? "\n  Before: " : "\n  After: ")
                    .append(blocking.violations().get(0).message());
        }
        for (PolicyFinding finding : comparison.findings()) {
            text.append("\n").append(words(finding));
        }
        return text.toString();
    }

    private static String words(Situation it) {
        String held = it.positions().stream()
                .map(position -> position.marketValue() + " USD of " + position.symbol())
                .collect(Collectors.joining(", "));
        String slippage = it.trade().expectedSlippage() == null
                ? ""
                : " with " + it.trade().expectedSlippage() + "% slippage";
        return "a " + it.trade().action().wireName() + " of " + it.trade().amount() + " USD of "
                + it.trade().asset() + slippage + ", with " + it.cash() + " USD in cash"
                + (held.isEmpty() ? "" : " and " + held)
                + (it.peak() == null ? "" : ", the highest value being " + it.peak() + " USD")
                + (it.used() == null
                        ? ""
                        : ", after " + it.used().trades() + " proposed for "
                                + it.used().usd() + " USD")
                + ", at " + it.at() + ".";
    }

    private static String words(PolicyFinding finding) {
        return switch (finding.kind()) {
            case SHADOWED -> "Limit " + finding.about() + " never binds: the rest of the policy is stricter.";
            case VACUOUS -> "No " + finding.about() + " can pass, whatever is held.";
            case REDUNDANT -> "Standing rule " + finding.about() + " changes nothing.";
        };
    }
}
