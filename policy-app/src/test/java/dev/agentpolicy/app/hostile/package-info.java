/** Whoever means harm: nonsense, floods, forgeries and other people's ids, against a service in a process of its own. */
@NullMarked
package dev.agentpolicy.app.hostile;

import org.jspecify.annotations.NullMarked;
