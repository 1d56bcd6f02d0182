package dev.agentpolicy.app.verify;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The pages of one chain, in order, each held only while it is looked at. */
interface Pages extends AutoCloseable {

    /** The next page, or null after the last. */
    @Nullable
    Page next() throws IOException, InterruptedException;

    /** Whether the last page must reach the head that came with it. */
    boolean isWhole();

    @Override
    void close() throws IOException;
}
