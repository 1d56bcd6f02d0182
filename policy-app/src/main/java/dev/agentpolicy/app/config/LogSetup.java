package dev.agentpolicy.app.config;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;

/**
 * Configures the log: one line an event, on stderr, because stdout is for the results of commands. It has the service's own
 * messages and the warnings of its libraries.
 *
 * <p>This is code because reading the same from XML takes a tenth of the start. To use another configuration, name a
 * file with {@code -Dlogback.configurationFile}.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
    /** The format of the lines of the log. */
    public enum LogFormat {
        /** For people. */
        TEXT,
        /** For machines: one object a line. */
        JSON
    }

    /** The calls that the log has a line for. A call that failed because of the service always has one. */
    public enum LogCalls {
        NONE,
        /** Those answered with a status of 400 or more. */
        REFUSED,
        ALL;

        Level level() {
            return switch (this) {
                case NONE -> Level.OFF;
                case REFUSED -> Level.INFO;
                case ALL -> Level.DEBUG;
            };
        }
    }

    static final String ANOTHER = "logback.configurationFile";
    /** These log what clients send wrongly, which may be a key, without a limit. */
    private static final List<String> REPEATING_STRANGERS =
            List.of("org.eclipse.jetty.util.HostPort", "org.eclipse.jetty.http");

    private static final String CONTROLS = "'[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]+',' '";
    private static final String ONE_LINE = "%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z',UTC} %-5level "
            + "%replace(%X{requestId} ){'^ ',''}%logger{0}: "
            + "%replace(%msg){" + CONTROLS + "}"
            + "%replace(%replace(%ex){'\\s*[\\r\\n]+\\s*',' | '}){" + CONTROLS + "}%nopex%n";

    @Override
    public ExecutionStatus configure(LoggerContext logback) {
        if (System.getProperty(ANOTHER) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        Encoder<ILoggingEvent> encoder =
                setting("POLICY_LOG_FORMAT", LogFormat.TEXT) == LogFormat.JSON ? json() : text();
        encoder.setContext(logback);
        encoder.start();
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(logback);
        stderr.setName("stderr");
        stderr.setTarget("System.err");
        stderr.setEncoder(encoder);
        stderr.start();
        Logger root = logback.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(stderr);
        root.setLevel(Level.WARN);
        logback.getLogger("dev.agentpolicy").setLevel(Level.INFO);
        logback.getLogger("dev.agentpolicy.calls")
                .setLevel(setting("POLICY_LOG_CALLS", LogCalls.NONE).level());
        REPEATING_STRANGERS.forEach(name -> logback.getLogger(name).setLevel(Level.OFF));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static Encoder<ILoggingEvent> text() {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setPattern(ONE_LINE);
        return encoder;
    }

    /** A JSON object a line, with the formatted message only; its arguments might hold more than may be logged. */
    private static Encoder<ILoggingEvent> json() {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithContext(false);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithFormattedMessage(true);
        return encoder;
    }

    /** Read before anything else can be; a value that makes no sense ends the start a moment later. */
    private static <E extends Enum<E>> E setting(String name, E otherwise) {
        try {
            return new Settings(System.getenv()).choice(name, otherwise);
        } catch (CannotStart nonsense) {
            return otherwise;
        }
    }
}
