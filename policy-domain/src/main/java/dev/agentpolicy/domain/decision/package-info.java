/** The evaluator: a pure function from a trade and its context to a verdict with all its reasons. */
@NullMarked
package dev.agentpolicy.domain.decision;

import org.jspecify.annotations.NullMarked;
