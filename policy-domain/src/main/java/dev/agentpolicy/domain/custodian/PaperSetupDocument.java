package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Reads what a user says about a paper custodian (docs/reference/custodians.md). */
public final class PaperSetupDocument {
    public static final int MAX_PRICES = 500;
    private static final int SHARE_DECIMALS = 6;

    private PaperSetupDocument() {}

    /** Reads holdings, prices and the behaviour of the market, with numbers or decimal strings. */
    public static Reading<PaperSetup> read(String id, Document sent, Instant now) {
        Fields fields = new Fields(sent, Decimals.NUMBERS_OR_TEXT);
        Supplier<CustodianHoldings> holdings = HoldingsDocument.read(id, fields, now);
        Map<AssetSymbol, Usd> prices = prices(fields);
        PaperMarket market = fields.object("market", PaperSetupDocument::market);
        return fields.finish(() -> new PaperSetup(holdings.get(), prices, market == null ? PaperMarket.OPEN : market));
    }

    private static Map<AssetSymbol, Usd> prices(Fields fields) {
        Map<AssetSymbol, Usd> prices = new HashMap<>();
        fields.entries("prices", MAX_PRICES, (name, members) -> {
            AssetSymbol symbol = AssetSymbol.of(name);
            BigDecimal price =
                    members.decimal(name, BigDecimal.ZERO, HoldingsDocument.MAX_USD, HoldingsDocument.USD_DECIMALS);
            members.require(name);
            if (symbol == null) {
                members.problem(name, AssetSymbol.EXPECTED);
            } else if (price != null && price.signum() == 0) {
                members.problem(name, "must be above 0");
            } else if (price != null && prices.put(symbol, new Usd(price)) != null) {
                fields.problem("prices", "lists " + symbol + " twice; symbols are compared in upper case");
            }
            return symbol;
        });
        return prices;
    }

    /** The behaviour of a market; what is not said is that of an open one. */
    private static PaperMarket market(Fields fields) {
        Boolean isOpen = fields.truth("isOpen");
        BigDecimal share = fields.decimal("fillShare", BigDecimal.ZERO, BigDecimal.ONE, SHARE_DECIMALS);
        if (share != null && share.signum() == 0) {
            fields.problem("fillShare", "must be above 0");
        }
        List<AssetSymbol> rejects = fields.texts("rejects", MAX_PRICES, AssetSymbol.EXPECTED, AssetSymbol::of);
        return new PaperMarket(
                isOpen == null || isOpen, share == null ? Fraction.ONE : new Fraction(share), Set.copyOf(rejects));
    }
}
