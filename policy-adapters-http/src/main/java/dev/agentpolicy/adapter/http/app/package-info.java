/** The app API of the console: sign-in, policy, portfolio, keys, requests. */
@NullMarked
package dev.agentpolicy.adapter.http.app;

import org.jspecify.annotations.NullMarked;
