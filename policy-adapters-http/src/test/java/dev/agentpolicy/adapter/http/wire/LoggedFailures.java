package dev.agentpolicy.adapter.http.wire;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Captures what the server logs about calls that fail on purpose. */
public final class LoggedFailures implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger(ErrorHandling.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    LoggedFailures() {
        logger.setAdditive(false);
        logger.addAppender(appender);
        appender.start();
    }

    /** Message and cause of each line. */
    public List<String> lines() {
        return appender.list.stream()
                .map(event -> event.getFormattedMessage()
                        + (event.getThrowableProxy() == null
                                ? ""
                                : " " + event.getThrowableProxy().getMessage()))
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(!logger.iteratorForAppenders().hasNext());
    }
}
