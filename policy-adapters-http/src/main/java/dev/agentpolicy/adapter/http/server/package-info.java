/** The HTTP server: routes, connection limits, health checks and metrics. */
@NullMarked
package dev.agentpolicy.adapter.http.server;

import org.jspecify.annotations.NullMarked;
