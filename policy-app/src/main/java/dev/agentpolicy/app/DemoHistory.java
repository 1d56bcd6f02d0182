package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.backup.H2Backup;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade.Proposed;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/**
 * The history of a new demonstration: prices moved, its agent asked and proposed, and its user decided. All of it goes through
 * the use cases of the service, whose clock is set back meanwhile, so that the log is signed and verified like any other. It
 * is made on a new embedded database only, never among rows of somebody else.
 */
final class DemoHistory {
    static final int DAYS = 60;

    private static final int AMENDED = 35;
    private static final int ACCEPTED = 21;
    private static final int REJECTED = 9;
    private static final int DAYS_BETWEEN_QUESTIONS = 2;
    private static final int MOVES_OF_A_DAY = 150;
    private static final Duration TIME_TO_DECIDE = Duration.ofMinutes(40);

    private static final List<Trade> QUESTIONS = List.of(
            Trade.buy("SPY", Usd.of(800)),
            Trade.sell("BTC", Usd.of(2_000)),
            Trade.buy("ETH", Usd.of(500)),
            Trade.buy("DOGE", Usd.of(300)),
            Trade.sell("AGG", Usd.of(600)),
            Trade.buy("ETH", Usd.of(25_000)),
            Trade.buy("QQQ", Usd.of(1_200)));

    private final Running running;
    private final DemoClock clock;
    private final DemoUser user;

    private DemoHistory(Running running, DemoClock clock) {
        this.running = running;
        this.clock = clock;
        this.user = DemoUser.of(running.users(), running.useCases(), clock.instant());
    }

    /** Whether the settings name an embedded database whose file does not exist yet. */
    static boolean isFor(Config config) {
        return H2Backup.databaseOf(config.database().url())
                .map(H2Backup::fileOf)
                .filter(file -> !Files.exists(file))
                .isPresent();
    }

    /** Makes the history, from the time of the clock to the present. */
    static DemoUser make(Running running, DemoClock clock) {
        DemoHistory history = new DemoHistory(running, clock);
        for (int day = DAYS - 1; day > 0; day--) {
            history.pass(day);
        }
        history.today();
        return history.user;
    }

    private void pass(int daysAgo) {
        Duration ago = Duration.ofDays(daysAgo);
        clock.leapTo(ago);
        running.demoMarket().move(MOVES_OF_A_DAY);
        switch (daysAgo) {
            case AMENDED ->
                DemoUser.given(running.useCases()
                        .amendIps()
                        .put(user.id(), DemoUser.policy().withMaxSlippage(Fraction.of("0.005"))));
            case ACCEPTED -> {
                long request = propose(Trade.sell("AGG", Usd.of(1_000)), "Bonds are above what was agreed in spring.");
                clock.leapTo(ago.minus(TIME_TO_DECIDE));
                DemoUser.given(running.useCases().attestRequest().accept(user.id(), request));
            }
            case REJECTED -> {
                long request = propose(Trade.buy("ETH", Usd.of(1_500)), "Crypto is below its target.");
                clock.leapTo(ago.minus(TIME_TO_DECIDE));
                DemoUser.given(
                        running.useCases().attestRequest().reject(user.id(), request, "Wait until prices are calmer."));
            }
            default -> {
                if (daysAgo % DAYS_BETWEEN_QUESTIONS == 0) {
                    ask(QUESTIONS.get(daysAgo / DAYS_BETWEEN_QUESTIONS % QUESTIONS.size()));
                }
            }
        }
    }

    private void today() {
        clock.leapTo(Duration.ofHours(5));
        running.demoMarket().move(MOVES_OF_A_DAY);
        ask(Trade.sell("BTC", Usd.of(2_500)));
        clock.leapTo(Duration.ofHours(3));
        propose(Trade.buy("SPY", Usd.of(750)), "Cash is above its floor, and stocks are below their target.");
        clock.leapTo(Duration.ofMinutes(25));
        running.demoMarket().move(1);
        propose(Trade.buy("ETH", Usd.of(500)), "All crypto is in one coin; this spreads it a little.");
        clock.leapTo(Duration.ZERO);
    }

    private void ask(Trade trade) {
        running.demoAgent().ask(user.id(), trade);
    }

    /** Proposes a trade that the policy allows; the answer is the id of its request. */
    private long propose(Trade trade, String rationale) {
        return running.demoAgent()
                .propose(user.id(), trade, rationale)
                .map(Proposed::requestId)
                .orElseThrow();
    }
}
