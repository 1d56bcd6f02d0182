/** Verifies a chain with public data only, from files or from a running service; knows nothing of how one is run. */
@NullMarked
package dev.agentpolicy.app.verify;

import org.jspecify.annotations.NullMarked;
