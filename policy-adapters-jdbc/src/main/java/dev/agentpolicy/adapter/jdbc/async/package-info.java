/** Runs queries off the threads of callers and gathers those that can share a statement. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.async;

import org.jspecify.annotations.NullMarked;
