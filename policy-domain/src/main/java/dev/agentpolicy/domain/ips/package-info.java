/** The investment policy statement: what a user lets agents do. */
@NullMarked
package dev.agentpolicy.domain.ips;

import org.jspecify.annotations.NullMarked;
