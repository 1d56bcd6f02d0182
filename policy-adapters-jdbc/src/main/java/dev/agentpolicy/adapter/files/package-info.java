/** How files are made that others must not read. Every adapter may use it; it uses none of them. */
@NullMarked
package dev.agentpolicy.adapter.files;

import org.jspecify.annotations.NullMarked;
