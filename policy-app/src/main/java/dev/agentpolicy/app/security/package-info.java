/** Randomness, password hashing and signing as the service uses them. */
@NullMarked
package dev.agentpolicy.app.security;

import org.jspecify.annotations.NullMarked;
