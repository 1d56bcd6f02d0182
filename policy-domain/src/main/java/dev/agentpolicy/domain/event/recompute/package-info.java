/** Decides the decisions of a chain again and compares the results with the record. */
@NullMarked
package dev.agentpolicy.domain.event.recompute;

import org.jspecify.annotations.NullMarked;
