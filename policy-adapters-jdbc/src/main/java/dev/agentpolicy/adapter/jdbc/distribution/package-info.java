/** Turns a schema on a coordinator of Citus into a distributed one. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.distribution;

import org.jspecify.annotations.NullMarked;
