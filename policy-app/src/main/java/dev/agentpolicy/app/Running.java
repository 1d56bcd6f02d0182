package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.app.AppUseCases;
import dev.agentpolicy.domain.port.signin.Users;

/**
 * A running service.
 *
 * @param door its servers
 * @param users its users
 * @param useCases the use cases of the app API
 * @param demoPassword of the demonstration's user
 * @param demoMarket moves the prices of the demonstration
 * @param behind what to close once the last call is answered
 */
public record Running(
        HttpListeners door,
        Users users,
        AppUseCases useCases,
        DemoPassword demoPassword,
        DemoMarket demoMarket,
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
}
