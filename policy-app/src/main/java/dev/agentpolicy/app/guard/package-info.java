/** Watches the disk, the clock and the recorded heads, and stops writing when one of them cannot be trusted. */
@NullMarked
package dev.agentpolicy.app.guard;

import org.jspecify.annotations.NullMarked;
