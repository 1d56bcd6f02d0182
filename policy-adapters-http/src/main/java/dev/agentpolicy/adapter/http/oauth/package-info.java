/** The authorization server by which programs are connected by consent (docs/reference/connections.md). */
@NullMarked
package dev.agentpolicy.adapter.http.oauth;

import org.jspecify.annotations.NullMarked;
