/** Answers, refusals and checks that use cases share. The use cases are in the packages below, by caller. */
@NullMarked
package dev.agentpolicy.domain.usecase;

import org.jspecify.annotations.NullMarked;
