/** A trade as an agent sends it and as the policy reads it. */
@NullMarked
package dev.agentpolicy.domain.trade;

import org.jspecify.annotations.NullMarked;
