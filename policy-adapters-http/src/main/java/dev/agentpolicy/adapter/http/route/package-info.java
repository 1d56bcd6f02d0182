/** Routes, and what callers need for them. */
@NullMarked
package dev.agentpolicy.adapter.http.route;

import org.jspecify.annotations.NullMarked;
