/** Use cases of the owner: policy, portfolio, keys, attestation, sign-in. */
@NullMarked
package dev.agentpolicy.domain.usecase.owner;

import org.jspecify.annotations.NullMarked;
