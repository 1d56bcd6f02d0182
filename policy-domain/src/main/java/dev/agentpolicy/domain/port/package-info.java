/** The interfaces that adapters implement. Every port has a contract test. */
@NullMarked
package dev.agentpolicy.domain.port;

import org.jspecify.annotations.NullMarked;
