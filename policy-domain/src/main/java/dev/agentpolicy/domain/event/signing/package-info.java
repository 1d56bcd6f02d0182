/** Signing keys, the manifest that publishes them, and the check of signatures. */
@NullMarked
package dev.agentpolicy.domain.event.signing;

import org.jspecify.annotations.NullMarked;
