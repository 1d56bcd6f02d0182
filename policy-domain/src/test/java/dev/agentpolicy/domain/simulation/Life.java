package dev.agentpolicy.domain.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;

/** What happens in a town: calls begin, steps of others come between, nodes crash and time passes, all by chance. */
final class Life {
    private static final int CALLS_AT_ONCE = 8;
    private static final Duration AT_ONCE = Duration.ofSeconds(-1);
    private final Town town;
    private final Random random;

    Life(Random random, Flaw flaw) {
        this.random = random;
        this.town = new Town(random, flaw);
        town.calm(false);
    }

    /** Begins so many operations, with the steps of all others in between, and lets them come to their end. */
    Census live(int operations) {
        for (int begun = 0; begun < operations; ) {
            if (town.agenda.isEmpty() || (random.nextInt(3) == 0 && calls() < CALLS_AT_ONCE)) {
                begin(random.nextInt(200));
                town.verdict.rethrow();
                begun++;
            } else {
                town.step();
            }
        }
        end();
        return town.watch.census();
    }

    private int calls() {
        return town.nodes.stream().mapToInt(Node::calls).sum();
    }

    private void begin(int what) {
        town.clock.advance(Duration.ofMillis(random.nextInt(3_000)));
        Home home = town.anyHome();
        Node node = town.anyNode();
        if (what < 66) {
            home.anyAgent().propose();
        } else if (what < 86) {
            home.anyAgent().validate();
        } else if (what < 92) {
            home.anyAgent().batch();
        } else if (what < 98) {
            home.anyAgent().read();
        } else if (what < 150) {
            home.attest();
        } else if (what < 160) {
            node.take(
                    () -> node.fill.sweep(random.nextBoolean() ? AT_ONCE : Duration.ofSeconds(30)),
                    swept -> {},
                    () -> {});
        } else if (what < 167) {
            node.take(node.expire::sweep, swept -> {}, () -> {});
        } else if (what < 175) {
            home.observe();
        } else if (what < 181) {
            home.trade();
        } else if (what < 185) {
            home.amend();
        } else if (what < 189) {
            home.anyAgent().renew();
        } else if (what < 198) {
            timePasses(home);
        } else {
            node.crash();
        }
    }

    /** To a moment at which something ends, or one microsecond beside it; or just on. */
    private void timePasses(Home home) {
        List<Long> asked = town.watch.requests.of(home.user);
        Instant now = town.clock.instant();
        Instant proposed = asked.isEmpty()
                ? now
                : town.watch
                        .requests
                        .known(asked.get(Math.max(0, asked.size() - 1 - random.nextInt(4))))
                        .proposal()
                        .createdAt();
        Duration beside = Duration.of(random.nextInt(3) - 1, ChronoUnit.MICROS);
        switch (random.nextInt(6)) {
            case 0 ->
                town.clock.goTo(now.truncatedTo(ChronoUnit.DAYS)
                        .plus(1, ChronoUnit.DAYS)
                        .plus(beside));
            case 1 -> town.clock.goTo(proposed.plus(Duration.ofHours(24)).plus(beside));
            case 2 -> town.clock.goTo(proposed.plus(Node.WINDOW).plus(beside));
            default -> town.clock.advance(Duration.ofMinutes(random.nextInt(300)));
        }
    }

    /** Everybody answers again; what is under way comes to its end. */
    private void end() {
        town.calm(true);
        town.settle();
        for (Node node : town.nodes) {
            node.take(() -> node.fill.sweep(AT_ONCE), swept -> {}, () -> {});
            town.settle();
        }
        for (Home home : town.homes) {
            home.observe();
            town.settle();
            town.watch.end(home.user, town.broker.book(home.user));
        }
        town.watch.end();
    }
}
