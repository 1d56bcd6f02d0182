/** Answers, refusals and checks that all use cases share; the use cases themselves lie in rooms by caller. */
@NullMarked
package dev.agentpolicy.domain.usecase;

import org.jspecify.annotations.NullMarked;
