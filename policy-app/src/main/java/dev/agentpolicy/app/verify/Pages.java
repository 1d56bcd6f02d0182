package dev.agentpolicy.app.verify;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The pages of one chain, in order. Only one page at a time is in memory. */
interface Pages extends AutoCloseable {

    /** The next page, or null after the last. */
    @Nullable
    Page next() throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
