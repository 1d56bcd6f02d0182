/** Mails to users, by SMTP. */
@NullMarked
package dev.agentpolicy.app.mail;

import org.jspecify.annotations.NullMarked;
