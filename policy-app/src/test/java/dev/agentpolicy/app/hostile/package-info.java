/** Attacks: random input, floods, forgeries and the ids of other users, against a service in its own process. */
@NullMarked
package dev.agentpolicy.app.hostile;

import org.jspecify.annotations.NullMarked;
