/** Ports that read and write rows outside of the commit path: accounts, keys, requests, users, sessions. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.store;

import org.jspecify.annotations.NullMarked;
