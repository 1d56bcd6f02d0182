/** Drives the console in a real browser against the real service. */
@NullMarked
package dev.agentpolicy.app.console;

import org.jspecify.annotations.NullMarked;
