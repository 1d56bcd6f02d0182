package dev.agentpolicy.example;

import dev.agentpolicy.domain.compare.PolicyTests;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.ips.Ips;
import java.time.Instant;

/** Says whether a policy decides two trades as its owner expects. */
public final class TestPolicy {
    private static final String TESTS = """
            { "tests": [
              { "name": "Not too much crypto",
                "portfolio": { "cash": 82000,
                  "positions": [{ "symbol": "BTC", "assetType": "crypto", "quantity": 180, "price": 100 }] },
                "trade": { "action": "buy", "assetSymbol": "BTC", "assetType": "crypto", "amountUsd": 20000 },
                "expect": { "allowed": false, "rules": ["crypto_max_allocation"], "maxAllowedUsd": 17000 } },
              { "name": "Cash can be invested",
                "portfolio": { "cash": 50000,
                  "positions": [{ "symbol": "SPY", "assetType": "tradfi", "quantity": 100, "price": 500 }] },
                "trade": { "action": "buy", "assetSymbol": "SPY", "assetType": "tradfi", "amountUsd": 46000 },
                "expect": { "allowed": true } }
            ] }""";

    private TestPolicy() {}

    public static void main(String[] args) {
        Ips ips = Ips.ofCrypto("0", "0.20", "0.35")
                .tradfi("0", "0.65", "1")
                .cashFloor("0.05")
                .maxDrawdown("0.25")
                .maxSlippage("0.01");
        PolicyTests tests = Document.parse(TESTS).then(PolicyTests::read).orElseThrow();
        tests.run(ips, Instant.parse("2026-11-21T12:00:00Z"))
                .results()
                .forEach(result -> System.out.println(result.test().name() + ": "
                        + (result.isPassed() ? "passed" : result.decision().reason())));
    }
}
