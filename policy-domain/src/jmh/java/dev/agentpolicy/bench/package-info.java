/** Measures what happens between two locks: a decision. */
@NullMarked
package dev.agentpolicy.bench;

import org.jspecify.annotations.NullMarked;
