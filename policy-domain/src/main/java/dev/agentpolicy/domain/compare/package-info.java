/** Compares two policy statements exactly, by linear inequalities over rational numbers. */
@NullMarked
package dev.agentpolicy.domain.compare;

import org.jspecify.annotations.NullMarked;
