/** Notifications that are pushed to devices. */
@NullMarked
package dev.agentpolicy.app.push;

import org.jspecify.annotations.NullMarked;
