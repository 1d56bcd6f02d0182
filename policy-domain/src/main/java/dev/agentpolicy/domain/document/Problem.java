package dev.agentpolicy.domain.document;

/**
 * A problem of a document.
 *
 * @param field path of the field, such as {@code crypto.max} or {@code standingRules[2].when.hours}
 * @param message one sentence that names the field and says what it must be
 */
public record Problem(String field, String message) {}
