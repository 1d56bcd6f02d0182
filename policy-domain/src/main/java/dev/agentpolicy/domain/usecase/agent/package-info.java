/** Use cases of agents: validate, propose, and what an agent may read. */
@NullMarked
package dev.agentpolicy.domain.usecase.agent;

import org.jspecify.annotations.NullMarked;
