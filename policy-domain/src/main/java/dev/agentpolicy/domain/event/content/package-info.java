/** The payloads of events. */
@NullMarked
package dev.agentpolicy.domain.event.content;

import org.jspecify.annotations.NullMarked;
