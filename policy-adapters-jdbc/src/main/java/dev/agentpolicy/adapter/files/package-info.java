/** Creates files that other users must not read. All adapters may use this package. */
@NullMarked
package dev.agentpolicy.adapter.files;

import org.jspecify.annotations.NullMarked;
