/** JSON objects as plain values, and the readers that check them. */
@NullMarked
package dev.agentpolicy.domain.document;

import org.jspecify.annotations.NullMarked;
