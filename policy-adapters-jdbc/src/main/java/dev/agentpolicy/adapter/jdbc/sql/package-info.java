/** Single statements, and rows read and written in bulk. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.sql;

import org.jspecify.annotations.NullMarked;
