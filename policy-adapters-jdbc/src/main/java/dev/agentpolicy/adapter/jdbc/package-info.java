/** Accounts, chains, requests and people on H2 or PostgreSQL; writes by group commit, reads from small rows and memory. */
@NullMarked
package dev.agentpolicy.adapter.jdbc;

import org.jspecify.annotations.NullMarked;
