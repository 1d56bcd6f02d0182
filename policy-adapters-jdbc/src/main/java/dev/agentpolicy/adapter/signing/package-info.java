/** Ed25519 signing with Tink. A master key encrypts the signing keys at rest. */
@NullMarked
package dev.agentpolicy.adapter.signing;

import org.jspecify.annotations.NullMarked;
