package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.app.AppUseCases;
import dev.agentpolicy.domain.port.Users;

/**
 * The service while it runs.
 *
 * @param door what listens
 * @param users who may sign in
 * @param useCases what a user can do
 * @param demoPassword of the demonstration's user
 * @param behind what is closed when the last call is answered, in order
 */
public record Running(FrontDoor door, Users users, AppUseCases useCases, DemoPassword demoPassword, Closing behind)
        implements AutoCloseable {

    /** {@code http://host:port}. */
    String address() {
        return door.server().address();
    }

    /** Stops listening, finishes what was accepted, and lets go of everything. */
    @Override
    public void close() {
        door.close();
        behind.close();
    }
}
