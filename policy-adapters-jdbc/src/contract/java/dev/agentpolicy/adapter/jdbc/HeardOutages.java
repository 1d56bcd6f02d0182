package dev.agentpolicy.adapter.jdbc;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.agentpolicy.adapter.jdbc.rate.SharedWindowCounter.Outage;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Captures what a test logs about the store of call counts, and keeps it out of the log. */
public final class HeardOutages implements BeforeEachCallback, AfterEachCallback {
    private final Logger logger = (Logger) LoggerFactory.getLogger(Outage.class);
    private final ListAppender<ILoggingEvent> heard = new ListAppender<>();

    @Override
    public void beforeEach(ExtensionContext context) {
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(heard);
        heard.start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        logger.detachAppender(heard);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    /** The events so far. */
    public List<ILoggingEvent> lines() {
        return List.copyOf(heard.list);
    }

    /** The levels of the events. */
    public List<Level> levels() {
        return lines().stream().map(ILoggingEvent::getLevel).toList();
    }
}
