/** A client of Alpaca's Trading API: what an account holds, its orders and its fills. Stores and logs nothing. */
@NullMarked
package dev.agentpolicy.adapter.custodian;

import org.jspecify.annotations.NullMarked;
