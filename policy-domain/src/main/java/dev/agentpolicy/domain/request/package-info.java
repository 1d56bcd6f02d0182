/** Requests: proposed trades from the proposal to the fill, and the orders that execute them. */
@NullMarked
package dev.agentpolicy.domain.request;

import org.jspecify.annotations.NullMarked;
