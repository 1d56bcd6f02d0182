/** Numbers with units. All arithmetic is exact; only methods that say so in their name round. */
@NullMarked
package dev.agentpolicy.domain.quantity;

import org.jspecify.annotations.NullMarked;
