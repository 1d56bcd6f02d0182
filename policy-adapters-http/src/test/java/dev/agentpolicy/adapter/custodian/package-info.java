/** The client of Alpaca's Trading API against the stand-in. */
@NullMarked
package dev.agentpolicy.adapter.custodian;

import org.jspecify.annotations.NullMarked;
