package dev.agentpolicy.bench.rival;

import com.cedarpolicy.BasicAuthorizationEngine;
import com.cedarpolicy.model.AuthorizationRequest;
import com.cedarpolicy.model.AuthorizationResponse;
import com.cedarpolicy.model.Context;
import com.cedarpolicy.model.entity.Entities;
import com.cedarpolicy.model.exception.AuthException;
import com.cedarpolicy.model.exception.CacheException;
import com.cedarpolicy.model.policy.Policy;
import com.cedarpolicy.model.policy.PolicySet;
import com.cedarpolicy.value.EntityUID;
import com.cedarpolicy.value.PrimLong;
import com.cedarpolicy.value.PrimString;
import com.cedarpolicy.value.Value;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Cedar: one policy that permits everything and one that forbids for each rule, parsed once and kept by the engine. */
final class CedarEngine implements Engine<AuthorizationResponse> {
    private final BasicAuthorizationEngine engine = new BasicAuthorizationEngine();
    private final Entities entities = new Entities();
    private final AuthorizationRequest[] requests =
            Trades.facts().map(CedarEngine::request).toArray(AuthorizationRequest[]::new);
    private final PolicySet policies;

    CedarEngine() throws CacheException {
        Stream<Policy> forbidden = Condition.ALL.stream().map(CedarEngine::forbid);
        Policy permitted = new Policy("permit(principal, action, resource);", "permitted");
        policies = new PolicySet(Stream.concat(Stream.of(permitted), forbidden).collect(Collectors.toSet()));
        policies.cache();
    }

    @Override
    public AuthorizationResponse decide(int trade) {
        try {
            return engine.isAuthorized(requests[trade], policies, entities);
        } catch (AuthException broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Override
    public Set<String> broken(AuthorizationResponse answer) {
        var success = answer.success.orElseThrow(() -> new IllegalStateException(answer.toString()));
        if (!success.getErrors().isEmpty()) {
            throw new IllegalStateException(answer.toString());
        }
        return success.isAllowed() ? Set.of() : success.getReason();
    }

    private static Policy forbid(Condition condition) {
        String text = "forbid(principal, action, resource) when { " + condition.of("context") + " };";
        return new Policy(text, condition.rule());
    }

    private static AuthorizationRequest request(Facts facts) {
        Map<String, Value> context = facts.byName().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, fact -> value(fact.getValue())));
        return new AuthorizationRequest(
                uid("Agent::\"a\""),
                uid("Action::\"" + facts.action() + "\""),
                uid("Asset::\"" + facts.asset() + "\""),
                new Context(context));
    }

    private static Value value(Object fact) {
        return fact instanceof Long number ? new PrimLong(number) : new PrimString(fact.toString());
    }

    private static EntityUID uid(String text) {
        return EntityUID.parse(text).orElseThrow();
    }
}
