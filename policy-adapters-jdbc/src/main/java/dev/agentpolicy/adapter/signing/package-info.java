/** Ed25519 by Tink: the keys of a service, sealed at rest by a master key, and what signs and verifies with them. */
@NullMarked
package dev.agentpolicy.adapter.signing;

import org.jspecify.annotations.NullMarked;
