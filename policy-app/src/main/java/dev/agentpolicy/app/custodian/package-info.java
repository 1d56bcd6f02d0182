/** The paper custodian, and what stands before all custodians. */
@NullMarked
package dev.agentpolicy.app.custodian;

import org.jspecify.annotations.NullMarked;
