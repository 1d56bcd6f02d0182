/** Counts calls for rate limits, in memory or in a database that all nodes share. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.rate;

import org.jspecify.annotations.NullMarked;
