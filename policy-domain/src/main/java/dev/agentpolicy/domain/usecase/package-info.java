/** What the service does for its callers: gather, decide purely, record. */
@NullMarked
package dev.agentpolicy.domain.usecase;

import org.jspecify.annotations.NullMarked;
