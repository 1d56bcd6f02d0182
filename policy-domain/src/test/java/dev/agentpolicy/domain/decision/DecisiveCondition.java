package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.decision.RandomCase.Standing;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/** The condition that decides whether a standing rule matches a case. */
enum DecisiveCondition {
    ACTIONS((it, rule) -> fails(it, rule, rule.without(ListCondition.ACTIONS))),
    ASSET_TYPES((it, rule) -> fails(it, rule, rule.without(ListCondition.ASSET_TYPES))),
    SYMBOLS((it, rule) -> fails(it, rule, rule.without(ListCondition.SYMBOLS))),
    DAYS((it, rule) -> fails(it, rule, rule.without(ListCondition.DAYS))),
    AMOUNT((it, rule) -> fails(
            it, rule, new Standing(rule.id(), rule.blocks(), rule.lists(), -1, rule.start(), rule.end(), rule.tz()))),
    HOURS((it, rule) -> fails(it, rule, allDay(rule, rule.lists()))),
    A_LIST_OF_NONE((it, rule) -> rule.lists().entrySet().stream()
            .anyMatch(list -> list.getValue().isEmpty() && fails(it, rule, rule.without(list.getKey())))),
    A_LIST_OF_SEVERAL((it, rule) -> matches(it, rule)
            && rule.lists().values().stream().allMatch(list -> list.size() > 1)
            && !rule.lists().isEmpty()),
    THE_DAY_WHERE_THE_HOURS_ARE((it, rule) -> rule.start() >= 0
            && matches(it, rule.without(ListCondition.DAYS))
            && matches(it, rule) != matches(it, allDay(rule, days(rule))));

    private final BiPredicate<RandomCase, Standing> turns;

    DecisiveCondition(BiPredicate<RandomCase, Standing> turns) {
        this.turns = turns;
    }

    boolean isMetBy(RandomCase it) {
        return it.hasIps && it.rules.stream().anyMatch(rule -> turns.test(it, rule));
    }

    /** Whether a rule would match without one of its conditions. */
    private static boolean fails(RandomCase it, Standing rule, Standing without) {
        return !matches(it, rule) && matches(it, without);
    }

    private static boolean matches(RandomCase it, Standing rule) {
        return ReferencePolicy.matches(it, rule);
    }

    private static Standing allDay(Standing rule, Map<ListCondition, Set<String>> lists) {
        return new Standing(rule.id(), rule.blocks(), lists, rule.above(), -1, -1, rule.tz());
    }

    private static Map<ListCondition, Set<String>> days(Standing rule) {
        Map<ListCondition, Set<String>> days = new EnumMap<>(rule.lists());
        days.keySet().retainAll(Set.of(ListCondition.DAYS));
        return days;
    }
}
