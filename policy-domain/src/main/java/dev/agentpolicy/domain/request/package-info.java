/** A trade that waits for its user, from proposal to fill. */
@NullMarked
package dev.agentpolicy.domain.request;

import org.jspecify.annotations.NullMarked;
