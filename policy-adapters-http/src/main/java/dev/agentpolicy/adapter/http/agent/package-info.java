/** The agent API. */
@NullMarked
package dev.agentpolicy.adapter.http.agent;

import org.jspecify.annotations.NullMarked;
