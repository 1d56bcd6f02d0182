package dev.agentpolicy.adapter.http.authzen;

import dev.agentpolicy.domain.document.Word;

/** Which of several evaluations are executed. They are executed in the order sent. */
enum EvaluationsSemantic implements Word {
    /** All of them. */
    EXECUTE_ALL,
    /** All up to the first that is denied. */
    DENY_ON_FIRST_DENY,
    /** All up to the first that is permitted. */
    PERMIT_ON_FIRST_PERMIT;

    /** Whether no evaluation after one with this decision is executed. */
    boolean endsAfter(boolean isPermitted) {
        return this != EXECUTE_ALL && isPermitted == (this == PERMIT_ON_FIRST_PERMIT);
    }
}
