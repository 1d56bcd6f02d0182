/** The differences between H2 and PostgreSQL: statements, URLs, files, and the lock of writers. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
