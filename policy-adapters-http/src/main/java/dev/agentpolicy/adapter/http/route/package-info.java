/** Routes and who may call them. */
@NullMarked
package dev.agentpolicy.adapter.http.route;

import org.jspecify.annotations.NullMarked;
