/** Agent keys: their scopes, their caps and what they have used of them. */
@NullMarked
package dev.agentpolicy.domain.agent;

import org.jspecify.annotations.NullMarked;
