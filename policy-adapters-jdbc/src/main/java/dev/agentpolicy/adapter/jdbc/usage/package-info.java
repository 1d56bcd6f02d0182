/** Counts calls in memory and writes the sums to the database. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.usage;

import org.jspecify.annotations.NullMarked;
