/** Custodians of a user: connections, orders, syncs, and what they make of the portfolio. */
@NullMarked
package dev.agentpolicy.domain.usecase.custodian;

import org.jspecify.annotations.NullMarked;
