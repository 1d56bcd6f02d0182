package dev.agentpolicy.app;

import java.math.BigDecimal;
import java.util.stream.IntStream;

/** The bodies that the callers of an experiment send. A number makes each one unique. */
final class NumberedBodies {
    /** The custodian whose holdings are replaced; it never has enough cash for a trade. */
    static final String SAVINGS = "savings";

    private static final String NAME = "Number ";
    private static final int ONE_REJECTED_IN = 4;
    private static final int ONE_DISPUTED_IN = 8;

    private NumberedBodies() {}

    /** A little more than 1 USD, bought or sold in turns, so that the portfolio stays what it is. */
    static String trade(int number) {
        return TestHousehold.trade(number % 2 == 0 ? "buy" : "sell", "SPY", "tradfi", amount(number));
    }

    static String batch(int number) {
        return "{\"trades\":"
                + IntStream.range(number, number + NumberedCall.OF_A_BATCH)
                        .mapToObj(NumberedBodies::trade)
                        .toList()
                + "}";
    }

    static String amount(int number) {
        return plain(BigDecimal.ONE.add(small(number)));
    }

    /** Whether the user says no to a proposal; to as many buys as sells. */
    static boolean isRejected(int number) {
        return number / 2 % ONE_REJECTED_IN == 0;
    }

    /** Whether the user says yes and no to a proposal at once. */
    static boolean isDisputed(int number) {
        return number / 2 % ONE_DISPUTED_IN == 0;
    }

    static String rejection(int number) {
        return "{\"reason\":\"" + name(number) + "\"}";
    }

    /** A key that may read. */
    static String key(int number) {
        return "{\"name\":\"" + name(number) + "\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"policy\":{}}";
    }

    /** The statement of the demonstration, whose rule has another reason. */
    static String statement(int number) {
        return TestHousehold.demo("ips.json").replace("Not in this household", name(number));
    }

    static String login(int number) {
        return "{\"email\":\"person-of-" + number + "@example.com\",\"password\":\"correct horse " + number + "\"}";
    }

    static String savings(int number) {
        return "{\"name\":\"Savings\",\"kind\":\"paper\",\"cash\":" + cash(number) + ",\"positions\":[]}";
    }

    static String cash(int number) {
        return plain(small(number));
    }

    static String name(int number) {
        return NAME + number;
    }

    /** Whether a name is one of an experiment. */
    static boolean isName(String name) {
        return name.startsWith(NAME);
    }

    private static BigDecimal small(int number) {
        return BigDecimal.valueOf(number, 8);
    }

    private static String plain(BigDecimal amount) {
        return amount.stripTrailingZeros().toPlainString();
    }
}
