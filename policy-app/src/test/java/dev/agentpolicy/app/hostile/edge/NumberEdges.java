package dev.agentpolicy.app.hostile.edge;

import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Numbers at, just inside and just outside the bounds of a schema, and whole ones written with a fraction. */
final class NumberEdges {
    private static final List<BigDecimal> STEPS = List.of(new BigDecimal("0.000001"), BigDecimal.ONE);
    private static final List<String> OF_MACHINES = List.of(
            "0",
            "1",
            "-1",
            "2147483647",
            "2147483648",
            "-2147483648",
            "9007199254740993",
            "9223372036854775807",
            "1E+20");

    private NumberEdges() {}

    /** The first one is right. */
    static Set<BigDecimal> of(JsonNode schema) {
        Set<BigDecimal> numbers = new LinkedHashSet<>();
        for (String bound : List.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")) {
            if (schema.has(bound)) {
                around(schema.get(bound).decimalValue(), numbers);
            }
        }
        OF_MACHINES.forEach(number -> numbers.add(new BigDecimal(number)));
        if (schema.has("exclusiveMinimum")) {
            numbers.remove(schema.get("exclusiveMinimum").decimalValue());
        }
        return numbers;
    }

    private static void around(BigDecimal bound, Set<BigDecimal> numbers) {
        numbers.add(bound);
        numbers.add(bound.setScale(1));
        STEPS.stream()
                .flatMap(step -> Stream.of(bound.add(step), bound.subtract(step)))
                .forEach(numbers::add);
    }
}
