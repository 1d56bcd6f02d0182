/**
 * Verifies a chain with public data only, from files or from a running service. Independent of the code that runs a service.
 */
@NullMarked
package dev.agentpolicy.app.verify;

import org.jspecify.annotations.NullMarked;
