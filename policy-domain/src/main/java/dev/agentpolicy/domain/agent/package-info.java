/** Who acts for a user: keys, their scopes, caps and what they have used. */
@NullMarked
package dev.agentpolicy.domain.agent;

import org.jspecify.annotations.NullMarked;
