/** JSON as it is on the wire: one strict reader, one writer, and how each resource is written. */
@NullMarked
package dev.agentpolicy.adapter.http.json;

import org.jspecify.annotations.NullMarked;
