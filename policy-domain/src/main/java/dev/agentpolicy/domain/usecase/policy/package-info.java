/** The policy of a user and the keys of the agents that trade under it. */
@NullMarked
package dev.agentpolicy.domain.usecase.policy;

import org.jspecify.annotations.NullMarked;
