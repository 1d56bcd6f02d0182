/** Custodians: connections to them, orders they are given, and what they report. */
@NullMarked
package dev.agentpolicy.domain.custodian;

import org.jspecify.annotations.NullMarked;
