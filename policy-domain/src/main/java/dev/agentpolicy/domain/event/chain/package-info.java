/** Rows of the hash chain, its heads and key rotations, and the verification of a chain with public data only. */
@NullMarked
package dev.agentpolicy.domain.event.chain;

import org.jspecify.annotations.NullMarked;
