package dev.agentpolicy.app;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes resources in the reverse order of their opening, and goes on when one fails. */
final class CloseStack implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Adds a resource that was opened, and returns it. */
    <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    @Override
    public void close() {
        RuntimeException first = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception failed) {
                if (first == null) {
                    first = new IllegalStateException("Something could not be closed.", failed);
                } else {
                    first.addSuppressed(failed);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
