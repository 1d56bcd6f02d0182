/** What agents proposed: reading, reviewing and attesting requests. */
@NullMarked
package dev.agentpolicy.domain.usecase.request;

import org.jspecify.annotations.NullMarked;
