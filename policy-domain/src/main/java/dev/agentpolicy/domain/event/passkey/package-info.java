/** Passkeys of users, and the acceptances signed with them (docs/reference/passkeys.md). */
@NullMarked
package dev.agentpolicy.domain.event.passkey;

import org.jspecify.annotations.NullMarked;
