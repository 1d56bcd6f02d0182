/** Holds what goes over the wire against the interface description, and the description against itself. */
@NullMarked
package dev.agentpolicy.app.openapi;

import org.jspecify.annotations.NullMarked;
