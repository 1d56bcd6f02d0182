/** Checks what tests send and receive against the description, and the description against itself. */
@NullMarked
package dev.agentpolicy.openapi;

import org.jspecify.annotations.NullMarked;
