/** A broker for tests that speaks the part of Alpaca's Trading API that the service uses, and fails on demand. */
@NullMarked
package dev.agentpolicy.alpaca;

import org.jspecify.annotations.NullMarked;
