package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event that has no place in the chain yet.
 *
 * @param kind what happened
 * @param payload its members, without the salt; values of the profile of {@link CanonicalForm}
 */
public record EventDraft(EventKind kind, Map<String, @Nullable Object> payload) {}
