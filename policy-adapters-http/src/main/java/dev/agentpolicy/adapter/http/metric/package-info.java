/** Metrics of the service and the log line of each call. */
@NullMarked
package dev.agentpolicy.adapter.http.metric;

import org.jspecify.annotations.NullMarked;
