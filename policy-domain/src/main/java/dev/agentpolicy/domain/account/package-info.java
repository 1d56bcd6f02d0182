/** The account as one immutable value, the changes that read it and the outcomes they record. */
@NullMarked
package dev.agentpolicy.domain.account;

import org.jspecify.annotations.NullMarked;
