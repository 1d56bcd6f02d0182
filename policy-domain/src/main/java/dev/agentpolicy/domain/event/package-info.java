/** The signed, hash-chained log: canonical form, links, keys and verification with public data only. */
@NullMarked
package dev.agentpolicy.domain.event;

import org.jspecify.annotations.NullMarked;
