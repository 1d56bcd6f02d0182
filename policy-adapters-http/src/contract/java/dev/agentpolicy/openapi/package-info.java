/** Holds what goes over the wire in tests against the interface description, and the description against itself. */
@NullMarked
package dev.agentpolicy.openapi;

import org.jspecify.annotations.NullMarked;
