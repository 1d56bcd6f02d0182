package dev.agentpolicy.domain.compare;

import dev.agentpolicy.domain.document.Word;

/** How a policy statement stands to another one, by what the two allow (docs/reference/compare.md). */
public enum PolicyRelation implements Word {
    /** Both allow the same trades. */
    EQUIVALENT,
    /** It allows less, and nothing that the other does not allow. */
    TIGHTER,
    /** It allows more, and everything that the other allows. */
    LOOSER,
    /** Each allows a trade that the other does not. */
    MIXED,
    /** The comparison would have taken too much work, or depends on what is used of approvals. */
    UNKNOWN;

    /** The relation when it is known whether something is newly allowed and whether something is newly blocked. */
    static PolicyRelation of(boolean isLooser, boolean isTighter) {
        if (isLooser) {
            return isTighter ? MIXED : LOOSER;
        }
        return isTighter ? TIGHTER : EQUIVALENT;
    }

    /** Whether nothing is newly allowed. What is unknown may be. */
    public boolean allowsNothingNew() {
        return this == EQUIVALENT || this == TIGHTER;
    }
}
