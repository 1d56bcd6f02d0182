/** Checks the HTTP exchanges of tests against the interface description, and the description for consistency. */
@NullMarked
package dev.agentpolicy.openapi;

import org.jspecify.annotations.NullMarked;
