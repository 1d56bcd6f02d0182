/** The files of the web console. */
@NullMarked
package dev.agentpolicy.adapter.http.console;

import org.jspecify.annotations.NullMarked;
