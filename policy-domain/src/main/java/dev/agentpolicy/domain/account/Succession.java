package dev.agentpolicy.domain.account;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.DailyDecisions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts what an outcome records over what an account held. */
final class Succession {

    private Succession() {}

    static Account of(Account before, Outcome<?> outcome) {
        return new Account(
                before.userId(),
                before.now(),
                newer(outcome.ips(), before.ips()),
                newer(outcome.portfolio(), before.portfolio()),
                AgentKey.kept(with(before.keys(), outcome.keys(), key -> key.id())),
                decided(before, outcome.decisions()),
                with(before.tallies(), outcome.tallies()),
                with(before.calls(), outcome.calls()),
                with(before.requests(), outcome.requests(), request -> request.id()),
                with(before.replays(), outcome.replays(), replay -> replay.key()),
                before.requestIds());
    }

    /** A new day begins with a decision only: without one, the next change may be made by a clock that is still in the old. */
    private static DailyDecisions decided(Account before, long decisions) {
        return decisions == 0
                ? before.decided()
                : before.decided().at(before.now()).plus(decisions);
    }

    private static <T> @Nullable T newer(@Nullable T recorded, @Nullable T before) {
        return recorded == null ? before : recorded;
    }

    private static <K, V> Map<K, V> with(Map<K, V> before, List<V> recorded, Function<V, K> name) {
        if (recorded.isEmpty()) {
            return before;
        }
        Map<K, V> after = new HashMap<>(before);
        recorded.forEach(value -> after.put(name.apply(value), value));
        return after;
    }

    private static <K, V> Map<K, V> with(Map<K, V> before, Map<K, V> recorded) {
        if (recorded.isEmpty()) {
            return before;
        }
        Map<K, V> after = new HashMap<>(before);
        after.putAll(recorded);
        return after;
    }
}
