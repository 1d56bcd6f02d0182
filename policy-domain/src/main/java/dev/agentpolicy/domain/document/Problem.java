package dev.agentpolicy.domain.document;

/**
 * One thing wrong with a document.
 *
 * @param field path of the field, such as {@code crypto.max} or {@code standingRules[2].when.hours}
 * @param message one plain English sentence that names the field and says what it must be
 */
public record Problem(String field, String message) {}
