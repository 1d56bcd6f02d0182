package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.AppUseCases;
import dev.agentpolicy.adapter.http.HttpServer;
import dev.agentpolicy.domain.port.Users;

/**
 * The service while it runs.
 *
 * @param server what listens
 * @param users who may sign in
 * @param useCases what a user can do
 * @param behind what is closed when the last call is answered, in order
 */
record Running(HttpServer server, Users users, AppUseCases useCases, Closing behind) implements AutoCloseable {

    /** {@code http://host:port}. */
    String address() {
        return server.address();
    }

    /** Stops listening, finishes what was accepted, and lets go of everything. */
    @Override
    public void close() {
        server.close();
        behind.close();
    }
}
