/** The seventeen rules of the policy, in the order of the specification, and their violations. */
@NullMarked
package dev.agentpolicy.domain.rule;

import org.jspecify.annotations.NullMarked;
