/** What a user holds, what it is worth, and what it would be after a trade. */
@NullMarked
package dev.agentpolicy.domain.portfolio;

import org.jspecify.annotations.NullMarked;
