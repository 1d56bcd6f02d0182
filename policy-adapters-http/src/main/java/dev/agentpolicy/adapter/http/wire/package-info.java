/** Reads requests and writes answers: bodies, queries, headers, errors, and the thread that does a call. */
@NullMarked
package dev.agentpolicy.adapter.http.wire;

import org.jspecify.annotations.NullMarked;
