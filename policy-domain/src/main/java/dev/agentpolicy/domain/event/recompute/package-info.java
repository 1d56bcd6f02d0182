/** Decides the verdicts of a chain again and compares them with what was recorded. */
@NullMarked
package dev.agentpolicy.domain.event.recompute;

import org.jspecify.annotations.NullMarked;
