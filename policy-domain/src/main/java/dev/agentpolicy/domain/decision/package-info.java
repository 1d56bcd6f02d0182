/** The evaluator: one pure function from the circumstances of a trade to a verdict with all its reasons. */
@NullMarked
package dev.agentpolicy.domain.decision;

import org.jspecify.annotations.NullMarked;
