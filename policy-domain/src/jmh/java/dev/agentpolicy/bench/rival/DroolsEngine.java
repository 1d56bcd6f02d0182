package dev.agentpolicy.bench.rival;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.drools.model.codegen.ExecutableModelProject;
import org.kie.api.KieServices;
import org.kie.api.builder.KieBuilder;
import org.kie.api.builder.KieFileSystem;
import org.kie.api.builder.Message;
import org.kie.api.runtime.KieSession;
import org.kie.api.runtime.rule.FactHandle;

/** Drools: the rules compiled to Java, and one session kept that takes each trade in and out again. */
final class DroolsEngine implements Engine<List<String>> {
    private final Facts[] trades = Trades.facts().toArray(Facts[]::new);
    private final List<String> broken = new ArrayList<>();
    private final KieSession session;

    DroolsEngine() {
        KieServices kie = KieServices.get();
        KieFileSystem files = kie.newKieFileSystem().write("src/main/resources/rules.drl", rules());
        KieBuilder builder = kie.newKieBuilder(files).buildAll(ExecutableModelProject.class);
        if (builder.getResults().hasMessages(Message.Level.ERROR)) {
            throw new IllegalStateException(builder.getResults().toString());
        }
        session = kie.newKieContainer(kie.getRepository().getDefaultReleaseId()).newKieSession();
        session.setGlobal("broken", broken);
    }

    @Override
    public List<String> decide(int trade) {
        broken.clear();
        FactHandle fact = session.insert(trades[trade]);
        session.fireAllRules();
        session.delete(fact);
        return broken;
    }

    @Override
    public Set<String> broken(List<String> answer) {
        return Set.copyOf(answer);
    }

    private static String rules() {
        String header = "package dev.agentpolicy.bench.rival;\nglobal java.util.List broken;\n";
        return Condition.ALL.stream().map(DroolsEngine::rule).collect(Collectors.joining("\n", header, "\n"));
    }

    private static String rule(Condition it) {
        return """
                rule "%1$s" when
                    Facts(%2$s)
                then
                    broken.add("%1$s");
                end""".formatted(it.rule(), it.text());
    }
}
