/** Reads and writes JSON: one strict reader, one writer, and the form of each resource. */
@NullMarked
package dev.agentpolicy.adapter.http.json;

import org.jspecify.annotations.NullMarked;
