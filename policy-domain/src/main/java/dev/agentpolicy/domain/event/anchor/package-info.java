/** Anchors: signed Merkle roots over the heads of all chains. */
@NullMarked
package dev.agentpolicy.domain.event.anchor;

import org.jspecify.annotations.NullMarked;
