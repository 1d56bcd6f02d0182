package dev.agentpolicy.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is logged if an untrusted proxy is in front of the service. */
class UntrustedForwardingTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(UntrustedForwarding.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        logger.setAdditive(false);
        logger.addAppender(lines);
        lines.start();
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
        logger.setAdditive(true);
    }

    @Test
    void x_forwarded_for_without_a_trusted_proxy_is_logged_once() {
        try (TestService service = new TestService()) {
            service.client().get("/api/agent/v1/whoami");
            assertThat(lines.list).isEmpty();
            Client proxied = service.client().with("X-Forwarded-For", "192.0.2.1");
            proxied.get("/api/agent/v1/whoami");
            proxied.get("/api/app/v1/me");
            proxied.get("/api/app/v1/me");
        }

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .startsWith("A call came with X-Forwarded-For, which is ignored, since POLICY_TRUST_PROXY is no.");
    }

    @Test
    void x_forwarded_for_of_a_trusted_proxy_is_not_logged() {
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of()).trustingProxy();
        try (TestService service = new TestService(config)) {
            service.client().with("X-Forwarded-For", "192.0.2.1").get("/api/app/v1/me");
        }

        assertThat(lines.list).isEmpty();
    }
}
