/** The service as it runs: wiring, commands and background work. */
@NullMarked
package dev.agentpolicy.app;

import org.jspecify.annotations.NullMarked;
