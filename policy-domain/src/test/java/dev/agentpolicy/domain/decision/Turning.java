package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.decision.RandomCase.Standing;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/** What it hangs on whether a standing rule matches, as the reference tells of a case and one of its rules. */
enum Turning {
    ACTIONS((it, rule) -> fails(it, rule, rule.without(Listed.ACTIONS))),
    ASSET_TYPES((it, rule) -> fails(it, rule, rule.without(Listed.ASSET_TYPES))),
    SYMBOLS((it, rule) -> fails(it, rule, rule.without(Listed.SYMBOLS))),
    DAYS((it, rule) -> fails(it, rule, rule.without(Listed.DAYS))),
    AMOUNT((it, rule) -> fails(
            it, rule, new Standing(rule.id(), rule.blocks(), rule.lists(), -1, rule.start(), rule.end(), rule.tz()))),
    HOURS((it, rule) -> fails(it, rule, allDay(rule, rule.lists()))),
    A_LIST_OF_NONE((it, rule) -> rule.lists().entrySet().stream()
            .anyMatch(list -> list.getValue().isEmpty() && fails(it, rule, rule.without(list.getKey())))),
    A_LIST_OF_SEVERAL((it, rule) -> matches(it, rule)
            && rule.lists().values().stream().allMatch(list -> list.size() > 1)
            && !rule.lists().isEmpty()),
    THE_DAY_WHERE_THE_HOURS_ARE((it, rule) -> rule.start() >= 0
            && matches(it, rule.without(Listed.DAYS))
            && matches(it, rule) != matches(it, allDay(rule, days(rule))));

    private final BiPredicate<RandomCase, Standing> turns;

    Turning(BiPredicate<RandomCase, Standing> turns) {
        this.turns = turns;
    }

    boolean isMetBy(RandomCase it) {
        return it.hasIps && it.rules.stream().anyMatch(rule -> turns.test(it, rule));
    }

    /** Whether a rule does not match, and would without one of its conditions. */
    private static boolean fails(RandomCase it, Standing rule, Standing without) {
        return !matches(it, rule) && matches(it, without);
    }

    private static boolean matches(RandomCase it, Standing rule) {
        return ReferencePolicy.matches(it, rule);
    }

    private static Standing allDay(Standing rule, Map<Listed, Set<String>> lists) {
        return new Standing(rule.id(), rule.blocks(), lists, rule.above(), -1, -1, rule.tz());
    }

    private static Map<Listed, Set<String>> days(Standing rule) {
        Map<Listed, Set<String>> days = new EnumMap<>(rule.lists());
        days.keySet().retainAll(Set.of(Listed.DAYS));
        return days;
    }
}
