/** Queries over the event log, their cursors, and the pages that answer them. */
@NullMarked
package dev.agentpolicy.domain.event.page;

import org.jspecify.annotations.NullMarked;
