/** How a user signs up, signs in and proves who they are: passwords, sessions, passkeys, links in mails. */
@NullMarked
package dev.agentpolicy.domain.usecase.signin;

import org.jspecify.annotations.NullMarked;
