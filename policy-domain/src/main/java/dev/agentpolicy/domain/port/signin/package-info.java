/** Ports that tell who a user is: addresses and passwords, sessions, devices, passkeys, and the links in mails. */
@NullMarked
package dev.agentpolicy.domain.port.signin;

import org.jspecify.annotations.NullMarked;
