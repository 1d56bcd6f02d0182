/** Use cases that the service or its operator runs: expiry, erasure, the gate that stops writing. */
@NullMarked
package dev.agentpolicy.domain.usecase.upkeep;

import org.jspecify.annotations.NullMarked;
