/** Makes changes of accounts durable by group commit. */
@NullMarked
package dev.agentpolicy.adapter.jdbc.commit;

import org.jspecify.annotations.NullMarked;
