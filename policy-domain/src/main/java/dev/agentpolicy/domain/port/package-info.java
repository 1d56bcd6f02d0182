/** What the domain asks of the outside world. Every port has a contract test. */
@NullMarked
package dev.agentpolicy.domain.port;

import org.jspecify.annotations.NullMarked;
