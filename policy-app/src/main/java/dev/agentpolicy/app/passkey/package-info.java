/** Web Authentication, with webauthn4j. */
@NullMarked
package dev.agentpolicy.app.passkey;

import org.jspecify.annotations.NullMarked;
