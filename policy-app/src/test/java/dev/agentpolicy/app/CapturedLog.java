package dev.agentpolicy.app;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Captures all log messages until it is closed. */
public final class CapturedLog implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.agentpolicy");
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    public CapturedLog() {
        appender.start();
        logger.addAppender(appender);
    }

    public List<String> messages() {
        return List.copyOf(appender.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
