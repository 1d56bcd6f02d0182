/** Settings, logging, and how a failed start is reported. */
@NullMarked
package dev.agentpolicy.app.config;

import org.jspecify.annotations.NullMarked;
