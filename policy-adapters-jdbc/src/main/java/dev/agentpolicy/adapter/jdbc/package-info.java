/** The store: one database and the ports it implements. */
@NullMarked
package dev.agentpolicy.adapter.jdbc;

import org.jspecify.annotations.NullMarked;
