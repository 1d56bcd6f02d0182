/** Everything a decision depends on, as one immutable value, and what a change makes of it. */
@NullMarked
package dev.agentpolicy.domain.account;

import org.jspecify.annotations.NullMarked;
