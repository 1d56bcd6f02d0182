package dev.agentpolicy.adapter.http.wire;

import static dev.agentpolicy.adapter.http.Client.VALIDATE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.domain.account.Unavailable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** One warning a minute with a count, however often there is a reason. */
class RepeatedWarningTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger("test.repeated");
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final List<Runnable> minutes = new ArrayList<>();
    private final RepeatedWarning warning = new RepeatedWarning(logger, "more calls failed", minutes::add);

    RepeatedWarningTest() {
        logger.setAdditive(false);
        logger.addAppender(appender);
        appender.start();
    }

    @Test
    void a_flood_of_503_is_one_line_in_the_log() {
        try (TestService service = new TestService().withPolicyAndPortfolio()) {
            Client agent = service.client().withKey(service.key());
            service.store.failing(new Unavailable("The store is away."));
            for (int call = 0; call < 40; call++) {
                assertThat(agent.post(VALIDATE, TRADE).status()).isEqualTo(503);
            }

            assertThat(service.logged.lines())
                    .singleElement()
                    .asString()
                    .matches("Call \\w+ could not be answered: The store is away\\.");
        }
    }

    @Test
    void the_first_is_logged_at_once_and_the_others_are_counted_by_reason() {
        warning.warn("Call a", "The disk is full.");
        warning.warn("Call b", "The disk is full.");
        warning.warn("Call c", "The database is away.");
        warning.warn("Call d", "The disk is full.");
        assertThat(lines()).containsExactly("Call a: The disk is full.");

        endMinute();

        assertThat(lines())
                .last()
                .isEqualTo("3 more calls failed in the last minute: The disk is full. (2); The database is away. (1)");
    }

    @Test
    void after_a_quiet_minute_the_next_warning_is_logged_at_once() {
        warning.warn("Call a", "Away.");
        warning.warn("Call b", "Away.");
        endMinute();
        endMinute();
        assertThat(minutes).as("nothing is awaited while nothing is counted").isEmpty();

        warning.warn("Call c", "Away.");

        assertThat(lines())
                .containsExactly("Call a: Away.", "1 more calls failed in the last minute: Away. (1)", "Call c: Away.");
    }

    @Test
    void the_number_of_remembered_reasons_is_limited() {
        for (int reason = 0; reason < 1_000; reason++) {
            warning.warn("Call", "Reason " + reason);
        }
        endMinute();

        assertThat(lines())
                .last()
                .asString()
                .startsWith("999 more")
                .contains("other reasons (991)")
                .hasSizeLessThan(400);
    }

    private void endMinute() {
        List<Runnable> due = List.copyOf(minutes);
        minutes.clear();
        due.forEach(Runnable::run);
    }

    private List<String> lines() {
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
