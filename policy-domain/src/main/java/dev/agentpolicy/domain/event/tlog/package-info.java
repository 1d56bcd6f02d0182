/** The transparency log in the formats of C2SP: tree, tiles, signed checkpoints, cosignatures, proofs and policies. */
@NullMarked
package dev.agentpolicy.domain.event.tlog;

import org.jspecify.annotations.NullMarked;
