/** The transparency log: one node puts the rows of chains into it and publishes it. */
@NullMarked
package dev.agentpolicy.app.tlog;

import org.jspecify.annotations.NullMarked;
