/** Backups of an H2 database while it is in use. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.backup;

import org.jspecify.annotations.NullMarked;
