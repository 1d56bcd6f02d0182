package dev.agentpolicy.domain.compare;

import org.jspecify.annotations.Nullable;

/**
 * A member of a statement that differs in another one.
 *
 * @param path of the member; standing rules and limits are named by their id, as in {@code limits[day]}
 * @param relation what the change does alone, with everything else as it was
 * @param from the value before; null for none
 * @param to the value after; null for none
 */
public record PolicyChange(
        String path,
        PolicyRelation relation,
        @Nullable Object from,
        @Nullable Object to) {}
