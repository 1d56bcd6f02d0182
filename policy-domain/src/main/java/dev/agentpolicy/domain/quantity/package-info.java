/** Numbers that know their unit. Every amount is exact; nothing here rounds unless its name says so. */
@NullMarked
package dev.agentpolicy.domain.quantity;

import org.jspecify.annotations.NullMarked;
