/** Canonical JSON text, the form in which payloads, manifests and heads are hashed and signed. */
@NullMarked
package dev.agentpolicy.domain.event.canonical;

import org.jspecify.annotations.NullMarked;
