package dev.agentpolicy.domain.custodian;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The members of stored books of paper custodians without their orders; decimals are text. */
public final class PaperBookDocument {
    private static final Schema<Entry<AssetSymbol, Usd>> PRICE = Schema.of(
            row -> Map.entry(row.next(), row.next()),
            required("symbol", AssetSymbol.CODEC, Entry::getKey),
            required("price", Usd.CODEC, Entry::getValue));

    private static final Schema<AssetSymbol> REJECTED =
            Schema.of(row -> row.next(), required("symbol", AssetSymbol.CODEC, symbol -> symbol));

    private static final Schema<PaperMarket> MARKET = Schema.of(
            row -> new PaperMarket(row.next(), row.next(), row.next()),
            required("open", Codec.TRUTH, PaperMarket::isOpen),
            required("fillShare", Codec.DECIMAL.as(Fraction::new, Fraction::value), PaperMarket::fillShare),
            required(
                    "rejects",
                    Codec.list(REJECTED)
                            .as(
                                    Set::copyOf,
                                    rejects -> rejects.stream().sorted().toList()),
                    PaperMarket::rejects));

    private static final Schema<PaperBook> SCHEMA = Schema.of(
            row -> new PaperBook("", row.next(), row.next(), row.next(), row.next(), row.next(), row.next(), Map.of()),
            required("name", Codec.TEXT, PaperBook::name),
            required("revision", Codec.LONG, PaperBook::revision),
            required("cash", Usd.CODEC, PaperBook::cash),
            required("positions", Codec.list(HoldingsDocument.POSITION), PaperBook::positions),
            required(
                    "prices",
                    Codec.list(PRICE).as(PaperBookDocument::byAsset, PaperBookDocument::sorted),
                    PaperBook::prices),
            required("market", Codec.object(MARKET), PaperBook::market));

    private PaperBookDocument() {}

    public static Map<String, @Nullable Object> toStored(PaperBook book) {
        return SCHEMA.write(book);
    }

    /** Reads what {@link #toStored} wrote, with the orders that were stored beside it. */
    public static PaperBook readStored(String custodian, Document stored, Map<String, PaperOrder> orders) {
        PaperBook it = SCHEMA.readStored(stored);
        return new PaperBook(
                custodian, it.name(), it.revision(), it.cash(), it.positions(), it.prices(), it.market(), orders);
    }

    private static Map<AssetSymbol, Usd> byAsset(List<Entry<AssetSymbol, Usd>> prices) {
        return prices.stream().collect(Collectors.toMap(Entry::getKey, Entry::getValue));
    }

    private static List<Entry<AssetSymbol, Usd>> sorted(Map<AssetSymbol, Usd> prices) {
        return prices.entrySet().stream()
                .sorted(Comparator.comparing(price -> price.getKey()))
                .toList();
    }
}
