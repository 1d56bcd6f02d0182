package dev.agentpolicy.bench.rival;

import java.util.Set;
import org.casbin.jcasbin.main.EnforceResult;
import org.casbin.jcasbin.main.Enforcer;
import org.casbin.jcasbin.model.Model;

/** jCasbin: every rule is a row that denies under a condition of its own; the first that does ends the decision. */
final class CasbinEngine implements Engine<EnforceResult> {
    private static final String MODEL = """
            [request_definition]
            r = %s
            [policy_definition]
            p = name, condition, eft
            [policy_effect]
            e = !some(where (p.eft == deny))
            [matchers]
            m = eval(p.condition)
            """;

    private final Object[][] requests =
            Trades.facts().map(facts -> facts.byName().values().toArray()).toArray(Object[][]::new);
    private final Enforcer enforcer;

    CasbinEngine() {
        Set<String> names = Trades.facts().findFirst().orElseThrow().byName().keySet();
        enforcer = new Enforcer(Model.newModelFromString(MODEL.formatted(String.join(", ", names))));
        Condition.ALL.forEach(condition -> enforcer.addPolicy(condition.rule(), condition.of("r"), "deny"));
    }

    @Override
    public EnforceResult decide(int trade) {
        return enforcer.enforceEx(requests[trade]);
    }

    @Override
    public Set<String> broken(EnforceResult answer) {
        return answer.isAllow() ? Set.of() : Set.of(answer.getExplain().get(0));
    }

    @Override
    public boolean tellsAll() {
        return false;
    }
}
