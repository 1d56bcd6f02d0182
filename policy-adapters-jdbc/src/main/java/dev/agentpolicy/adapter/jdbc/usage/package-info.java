/** Counts calls in memory and writes them to the database in batches. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.usage;

import org.jspecify.annotations.NullMarked;
