/** Calls that agents made, and what they add up to. */
@NullMarked
package dev.agentpolicy.domain.usage;

import org.jspecify.annotations.NullMarked;
