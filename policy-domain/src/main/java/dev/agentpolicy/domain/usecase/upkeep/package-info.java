/** Use cases of the service and its operator: expiry, erasure and the gate that stops changes. */
@NullMarked
package dev.agentpolicy.domain.usecase.upkeep;

import org.jspecify.annotations.NullMarked;
