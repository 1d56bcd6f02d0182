/** Dialects, connections, transactions, statements and rows on H2 and PostgreSQL. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.sql;

import org.jspecify.annotations.NullMarked;
