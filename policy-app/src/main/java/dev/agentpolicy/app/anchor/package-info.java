/** Anchors written to files and compared with the chains. */
@NullMarked
package dev.agentpolicy.app.anchor;

import org.jspecify.annotations.NullMarked;
