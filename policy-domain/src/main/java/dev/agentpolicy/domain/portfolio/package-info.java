/** The holdings of a user, their value, and their projection after a trade. */
@NullMarked
package dev.agentpolicy.domain.portfolio;

import org.jspecify.annotations.NullMarked;
