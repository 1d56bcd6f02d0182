package dev.agentpolicy.alpaca;

import java.io.IOException;

/** A stand-in as a process of its own, whose processor time is not that of its clients. */
public final class StandInProcess {

    private StandInProcess() {}

    /**
     * Starts a stand-in, prints its address, and ends with the standard input.
     *
     * @param args the number of accounts; the key of the first is {@code PKaccount0} and its secret
     *     {@code secret-of-account0}
     */
    public static void main(String[] args) throws IOException {
        try (AlpacaStandIn standIn = AlpacaStandIn.start()) {
            standIn.market().coin("BTC/USD", "50000").coin("ETH/USD", "2500");
            standIn.market().share("SPY", "500").share("AAPL", "200");
            for (int i = 0; i < Integer.parseInt(args[0]); i++) {
                standIn.account("account" + i, "10000")
                        .hold("BTC/USD", "0.1")
                        .hold("ETH/USD", "1")
                        .hold("SPY", "2")
                        .hold("AAPL", "3")
                        .tradeByHand("SPY", true, "1");
            }
            System.out.println(standIn.address());
            System.in.read();
        }
    }
}
