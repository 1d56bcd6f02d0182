/** Reads requests and writes answers: bodies, queries, headers, errors, and the threads that run calls. */
@NullMarked
package dev.agentpolicy.adapter.http.wire;

import org.jspecify.annotations.NullMarked;
