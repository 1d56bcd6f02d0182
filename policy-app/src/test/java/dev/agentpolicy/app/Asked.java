package dev.agentpolicy.app;

import dev.agentpolicy.app.Caller.Seen;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One call of an experiment.
 *
 * @param kind what was asked for
 * @param number tells this call from all others, also in the log, as its trade is of an amount of its own
 * @param request which is to be accepted, 0 when this is no acceptance
 * @param answer what came back, if anything
 * @param millis until it did
 */
record Asked(Kind kind, int number, long request, Optional<Seen> answer, long millis) {
    /** Trades of a batch, which uses as many numbers. */
    static final int OF_A_BATCH = 3;

    /** What callers do. */
    enum Kind {
        VALIDATE("validate"),
        BATCH("validate-batch"),
        PROPOSE("propose"),
        ACCEPT("attestation");

        private final String inTheLog;

        Kind(String inTheLog) {
            this.inTheLog = inTheLog;
        }
    }

    /** A decision in the log, of which there is one at most. */
    static String name(String kind, String amount) {
        return kind + " of " + amount;
    }

    boolean is(int status) {
        return answer.filter(seen -> seen.status() == status).isPresent();
    }

    /** Its decisions by their names. */
    Stream<String> decisions() {
        int trades = kind == Kind.BATCH ? OF_A_BATCH : 1;
        return IntStream.range(number, number + trades).mapToObj(i -> name(kind.inTheLog, amount(i)));
    }

    /** A little more than 1 USD, bought or sold in turns, so that the portfolio stays what it is. */
    static String trade(int number) {
        return Household.trade(number % 2 == 0 ? "buy" : "sell", "SPY", "tradfi", amount(number));
    }

    static String batch(int number) {
        return "{\"trades\":"
                + IntStream.range(number, number + OF_A_BATCH)
                        .mapToObj(Asked::trade)
                        .toList()
                + "}";
    }

    private static String amount(int number) {
        return BigDecimal.ONE
                .add(BigDecimal.valueOf(number, 8))
                .stripTrailingZeros()
                .toPlainString();
    }
}
