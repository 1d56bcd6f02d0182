/** Rate windows, in memory or shared by all nodes through a database. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.rate;

import org.jspecify.annotations.NullMarked;
