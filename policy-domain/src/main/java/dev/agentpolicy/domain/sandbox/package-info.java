/** The fixed policy and portfolio that test keys play with, behind ports that forget. */
@NullMarked
package dev.agentpolicy.domain.sandbox;

import org.jspecify.annotations.NullMarked;
