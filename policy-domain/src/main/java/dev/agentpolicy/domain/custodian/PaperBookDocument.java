package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes and reads stored books of paper custodians without their orders; decimals are text. */
public final class PaperBookDocument {

    private PaperBookDocument() {}

    public static Map<String, @Nullable Object> toStored(PaperBook book) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("name", book.name());
        members.put("revision", book.revision());
        members.put("cash", Decimals.text(book.cash().value()));
        members.put(
                "positions",
                book.positions().stream().map(HoldingsDocument.POSITION::write).toList());
        members.put("prices", prices(book.prices()));
        members.put("market", toStored(book.market()));
        return members;
    }

    /** Reads what {@link #toStored(PaperBook)} wrote, with the orders that were stored beside it. */
    public static PaperBook readStored(String custodian, Stored stored, Map<String, PaperOrder> orders) {
        return new PaperBook(
                custodian,
                stored.text("name"),
                stored.integer("revision"),
                new Usd(stored.decimal("cash")),
                stored.objects("positions", position -> HoldingsDocument.POSITION.readStored(position.document())),
                stored.objects("prices", PaperBookDocument::readPrice).stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
                readMarket(stored.object("market")),
                orders);
    }

    private static List<Map<String, @Nullable Object>> prices(Map<AssetSymbol, Usd> prices) {
        return prices.entrySet().stream()
                .sorted(Comparator.comparing(price -> price.getKey().value()))
                .map(price -> {
                    Map<String, @Nullable Object> members = new LinkedHashMap<>();
                    members.put("symbol", price.getKey().value());
                    members.put("price", Decimals.text(price.getValue().value()));
                    return members;
                })
                .toList();
    }

    private static Map.Entry<AssetSymbol, Usd> readPrice(Stored stored) {
        return Map.entry(new AssetSymbol(stored.text("symbol")), new Usd(stored.decimal("price")));
    }

    private static Map<String, @Nullable Object> toStored(PaperMarket market) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("open", market.isOpen());
        members.put("fillShare", Decimals.text(market.fillShare().value()));
        members.put(
                "rejects",
                market.rejects().stream()
                        .map(AssetSymbol::value)
                        .sorted()
                        .map(symbol -> Map.of("symbol", symbol))
                        .toList());
        return members;
    }

    private static PaperMarket readMarket(Stored stored) {
        return new PaperMarket(
                stored.truth("open"),
                new Fraction(stored.decimal("fillShare")),
                Set.copyOf(stored.objects("rejects", item -> new AssetSymbol(item.text("symbol")))));
    }
}
