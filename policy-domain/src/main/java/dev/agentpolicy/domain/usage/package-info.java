/** The calls of agents and reports of them. */
@NullMarked
package dev.agentpolicy.domain.usage;

import org.jspecify.annotations.NullMarked;
