/** The paper custodian. */
@NullMarked
package dev.agentpolicy.app.custodian;

import org.jspecify.annotations.NullMarked;
