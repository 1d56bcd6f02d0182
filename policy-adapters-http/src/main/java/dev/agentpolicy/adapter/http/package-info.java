/** The front door: the agent API and the app API over HTTP. It speaks to use cases, never to the ports behind them. */
@NullMarked
package dev.agentpolicy.adapter.http;

import org.jspecify.annotations.NullMarked;
