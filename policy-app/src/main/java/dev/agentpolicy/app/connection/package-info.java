/** Documents by which programs describe themselves, fetched from the internet. */
@NullMarked
package dev.agentpolicy.app.connection;

import org.jspecify.annotations.NullMarked;
