/** Values of accounts and keys kept in memory, by revision. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.cache;

import org.jspecify.annotations.NullMarked;
