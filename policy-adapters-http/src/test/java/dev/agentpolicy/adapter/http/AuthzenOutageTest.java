package dev.agentpolicy.adapter.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Accounts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The store fails when a list of AuthZEN evaluations is to be decided. */
class AuthzenOutageTest {
    private static final String BUY =
            "{\"subject\":{\"type\":\"agent\",\"id\":\"another\"},\"action\":{\"name\":\"buy\"},"
                    + "\"resource\":{\"type\":\"asset\",\"id\":\"ETH\"}}";
    private static final String THREE = "{\"evaluations\":[" + BUY + "," + BUY + "," + BUY + "]}";

    private final FailingAccounts accounts = new FailingAccounts();
    private final TestService service =
            new TestService(accounts::before, HttpConfig.of("127.0.0.1", 0, List.of()), true).withPolicyAndPortfolio();
    private final Client agent = service.client().withKey(service.key());

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void the_request_is_503_and_nothing_of_it_is_in_the_log() {
        long before = service.store.eventLog().head(service.user).seq();
        accounts.changesLeft = 0;

        Seen seen = agent.post("/access/v1/evaluations", THREE);

        assertThat(seen.status()).isEqualTo(503);
        assertThat(seen.header("Retry-After")).isNotNull();
        assertThat(service.store.eventLog().head(service.user).seq()).isEqualTo(before);
        accounts.changesLeft = Integer.MAX_VALUE;
        assertThat(agent.post("/access/v1/evaluations", THREE).status()).isEqualTo(200);
    }

    /** Accounts that can be changed only so many times. */
    private static final class FailingAccounts implements Accounts {
        private volatile int changesLeft = Integer.MAX_VALUE;
        private Accounts store;

        Accounts before(Accounts behind) {
            store = behind;
            return this;
        }

        @Override
        public <R> CompletionStage<R> change(UserId user, Change<R> change) {
            if (changesLeft == 0) {
                return CompletableFuture.failedFuture(new Unavailable("The store is away."));
            }
            changesLeft--;
            return store.change(user, change);
        }
    }
}
