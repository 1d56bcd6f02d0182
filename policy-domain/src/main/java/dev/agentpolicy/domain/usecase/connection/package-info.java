/** Use cases by which programs are connected by consent (OAuth 2.1; docs/reference/connections.md). */
@NullMarked
package dev.agentpolicy.domain.usecase.connection;

import org.jspecify.annotations.NullMarked;
