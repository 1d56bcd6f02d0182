package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.app.AppUseCases;
import dev.agentpolicy.app.DemoUser.DemoPassword;
import dev.agentpolicy.domain.port.signin.Users;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A running service.
 *
 * @param door its servers
 * @param users its users
 * @param useCases the use cases of the app API
 * @param demoPassword of the demonstration's user
 * @param demoMarket moves the prices of the demonstration
 * @param demoAgent asks and proposes in the demonstration
 * @param behind what to close once the last call is answered
 */
public record Running(
        HttpListeners door,
        Users users,
        AppUseCases useCases,
        DemoPassword demoPassword,
        DemoMarket demoMarket,
        DemoAgent demoAgent,
        CloseStack behind)
        implements AutoCloseable {

    /** {@code http://host:port}, as a browser of this machine should open it. */
    String address() {
        return door.server().browserAddress();
    }

    /** Stops listening, finishes the accepted calls, and closes everything. */
    @Override
    public void close() {
        door.close();
        behind.close();
    }

    /** Closes resources in the reverse order of their opening, and goes on when one fails. */
    static final class CloseStack implements AutoCloseable {
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
}
