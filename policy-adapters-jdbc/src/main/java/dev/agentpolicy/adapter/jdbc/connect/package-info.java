/** Pools, transactions, retries, and what a failed statement means. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.connect;

import org.jspecify.annotations.NullMarked;
