/** Measures the service from outside, and prints the tables of docs/performance.md. */
@NullMarked
package dev.agentpolicy.bench;

import org.jspecify.annotations.NullMarked;
