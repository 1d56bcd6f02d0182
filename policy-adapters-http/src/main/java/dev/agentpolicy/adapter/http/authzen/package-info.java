/** The OpenID AuthZEN Authorization API, a second door to the decisions of the agent API. */
@NullMarked
package dev.agentpolicy.adapter.http.authzen;

import org.jspecify.annotations.NullMarked;
