/** Trades, and the resolution of their assets. */
@NullMarked
package dev.agentpolicy.domain.trade;

import org.jspecify.annotations.NullMarked;
