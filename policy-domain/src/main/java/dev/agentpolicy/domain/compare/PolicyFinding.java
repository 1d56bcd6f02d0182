package dev.agentpolicy.domain.compare;

import dev.agentpolicy.domain.document.Word;

/**
 * Something in a statement that its author may not have meant.
 *
 * @param about the id of the standing rule or limit; for {@link Kind#VACUOUS}, the action in lower case
 */
public record PolicyFinding(Kind kind, String about) {

    /** What was found. */
    public enum Kind implements Word {
        /** A limit that no trade ever meets, because the rest of the statement blocks it first. */
        SHADOWED,
        /** An action is allowed, but no trade of it passes, whatever is held. */
        VACUOUS,
        /** A standing rule that changes nothing. */
        REDUNDANT
    }
}
