/** Use cases of agents: validate, propose and read. */
@NullMarked
package dev.agentpolicy.domain.usecase.agent;

import org.jspecify.annotations.NullMarked;
