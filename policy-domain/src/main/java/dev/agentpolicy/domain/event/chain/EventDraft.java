package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a change wants the log to say, before it has a place in the chain.
 *
 * @param kind what happened
 * @param payload its members, without the salt; values of the profile of {@link CanonicalForm}
 */
public record EventDraft(EventKind kind, Map<String, @Nullable Object> payload) {}
