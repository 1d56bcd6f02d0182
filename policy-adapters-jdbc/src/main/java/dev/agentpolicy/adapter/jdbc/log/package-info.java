/** Reads events, the audit feed, chain heads and erasures. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.log;

import org.jspecify.annotations.NullMarked;
