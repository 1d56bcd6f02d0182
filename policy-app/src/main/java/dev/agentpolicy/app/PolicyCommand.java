package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.json.ComparisonJson;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.domain.compare.PolicyChange;
import dev.agentpolicy.domain.compare.PolicyComparison;
import dev.agentpolicy.domain.compare.PolicyFinding;
import dev.agentpolicy.domain.compare.PolicyRelation;
import dev.agentpolicy.domain.compare.TradeWitness;
import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.CanonicalIps;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.trade.AssetResolver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares policies in files (docs/policies.md). Needs no settings, no database and no network. */
@Command(name = "policy", description = "Compare policies in files.", mixinStandardHelpOptions = true)
final class PolicyCommand implements Callable<Integer> {
    private static final int LOOSER = 1;
    private static final int UNREADABLE = 2;
    private static final long MAX_BYTES = 1024 * 1024;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "Say what to do: compare.");
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
        return read.fold(comparison -> print(comparison, isJson, failOn != null), problems -> {
            problems.forEach(problem -> spec.commandLine().getErr().println(problem.message()));
            return UNREADABLE;
        });
    }

    private int print(PolicyComparison comparison, boolean isJson, boolean failsOnLooser) {
        String text = isJson
                ? new String(
                        JsonWriter.object(out -> ComparisonJson.write(out, comparison, null)), StandardCharsets.UTF_8)
                : words(comparison);
        spec.commandLine().getOut().println(text);
        spec.commandLine().getOut().flush();
        return failsOnLooser && !comparison.relation().allowsNothingNew() ? LOOSER : 0;
    }

    private static Reading<Ips> read(Path file) {
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
                .then(PolicyCommand::statement)
                .then(ips -> CanonicalIps.of(ips, AssetResolver.ofDirectory(), null))
                .fold(
                        Reading::of,
                        problems -> wrong(
                                file, problems.stream().map(Problem::message).collect(Collectors.joining(" "))));
    }

    private static Reading<Ips> wrong(Path file, String why) {
        return Reading.wrong(List.of(new Problem("", file + ": " + why)));
    }

    private static Reading<Ips> statement(Document sent) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>(sent.members());
        IpsJson.OF_THE_VERSION.forEach(members::remove);
        return IpsDocument.read(new Document(members, sent.repeated()));
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
