package dev.agentpolicy.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogSetupTest {
    private static final String FORGERY =
            "a\r\n2026-11-21T00:00:00.000Z ERROR Ledger: forged\u001b[2J\u0085\u009b31m\u2028\u2029\u0000b";

    private final LoggerContext logback = new LoggerContext();

    private final String another = System.clearProperty(LogSetup.ANOTHER);

    @AfterEach
    void stop() {
        logback.stop();
        if (another != null) {
            System.setProperty(LogSetup.ANOTHER, another);
        }
    }

    @Test
    void whatever_a_stranger_gets_into_a_message_or_an_exception_stays_on_one_line_and_moves_no_cursor() {
        String line = encoded(new IllegalStateException(FORGERY, new IllegalArgumentException(FORGERY)));

        assertThat(line)
                .endsWith("\n")
                .contains("ERROR Here: a 2026-11-21T00:00:00.000Z ERROR Ledger: forged [2J 31m b");
        assertThat(line.strip())
                .matches("[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]+")
                .contains(" | Caused by: ");
    }

    private String encoded(Throwable thrown) {
        logback.setMDCAdapter(new LogbackMDCAdapter());
        LogSetup setup = new LogSetup();
        setup.setContext(logback);
        setup.configure(logback);
        Logger root = logback.getLogger(Logger.ROOT_LOGGER_NAME);
        var stderr = (ConsoleAppender<ILoggingEvent>) root.getAppender("stderr");
        Logger here = logback.getLogger("dev.agentpolicy.Here");
        LoggingEvent event = new LoggingEvent("", here, Level.ERROR, FORGERY, thrown, null);
        return new String(stderr.getEncoder().encode(event), StandardCharsets.UTF_8);
    }
}
