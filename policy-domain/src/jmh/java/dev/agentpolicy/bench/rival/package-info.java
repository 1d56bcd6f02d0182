/** The evaluator beside other engines that know the same rules. */
@NullMarked
package dev.agentpolicy.bench.rival;

import org.jspecify.annotations.NullMarked;
