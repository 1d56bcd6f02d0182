/** The service as it runs: its settings, its wiring, its command line, and the custodian that needs no market. */
@NullMarked
package dev.agentpolicy.app;

import org.jspecify.annotations.NullMarked;
