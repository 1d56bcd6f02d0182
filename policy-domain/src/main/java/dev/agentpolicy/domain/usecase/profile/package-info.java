/** Use cases of a user's own account: sessions, the password, deletion. */
@NullMarked
package dev.agentpolicy.domain.usecase.profile;

import org.jspecify.annotations.NullMarked;
