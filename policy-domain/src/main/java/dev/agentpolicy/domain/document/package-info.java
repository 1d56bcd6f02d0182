/** Documents as sent or stored, before they mean anything: names, plain values and what is wrong with them. */
@NullMarked
package dev.agentpolicy.domain.document;

import org.jspecify.annotations.NullMarked;
