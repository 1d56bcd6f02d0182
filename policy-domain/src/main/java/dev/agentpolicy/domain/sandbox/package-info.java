/** The accounts of test keys: a fixed policy and portfolio, with ports that keep everything in memory. */
@NullMarked
package dev.agentpolicy.domain.sandbox;

import org.jspecify.annotations.NullMarked;
