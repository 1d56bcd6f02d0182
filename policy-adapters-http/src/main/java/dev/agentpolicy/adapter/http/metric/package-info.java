/** Metrics, and the access log. */
@NullMarked
package dev.agentpolicy.adapter.http.metric;

import org.jspecify.annotations.NullMarked;
