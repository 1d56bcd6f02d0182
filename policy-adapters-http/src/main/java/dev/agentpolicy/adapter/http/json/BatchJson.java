package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads and writes batches (specification, BatchValidateRequest and BatchValidateResponse). */
public final class BatchJson {
    private static final String TRADES = "trades";

    private BatchJson() {}

    /**
     * One item of a batch.
     *
     * @param trade the trade, or the problems of this item
     * @param asSent its JSON text; null if it is no object, or one that parsers could read differently
     */
    public record Item(Reading<SentTrade> trade, @Nullable String asSent) {}

    /** Reads the items of a batch. Only a problem of the envelope makes the whole batch invalid. */
    @SuppressWarnings("IdentityHashMapUsage") // Two items may be equal and differ in their text.
    public static Reading<List<Item>> read(byte[] body) {
        Map<Document, String> sources = new IdentityHashMap<>();
        return JsonReader.read(body, sources).then(sent -> read(sent, sources));
    }

    private static Reading<List<Item>> read(Document sent, Map<Document, String> sources) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        fields.require(TRADES);
        Object trades = sent.get(TRADES);
        if (trades != null && !(trades instanceof List)) {
            fields.problem(TRADES, "must be an array");
        }
        List<?> items = trades instanceof List<?> list ? list : List.of();
        if (items.size() > ValidateTrade.MAX_BATCH) {
            fields.problem(TRADES, "must have at most " + ValidateTrade.MAX_BATCH + " items");
        }
        return fields.finish(() -> IntStream.range(0, items.size())
                .mapToObj(i -> item(i, items.get(i), sources))
                .toList());
    }

    private static Item item(int index, @Nullable Object item, Map<Document, String> sources) {
        if (item instanceof Document document) {
            String asSent = isPlain(document) ? sources.get(document) : null;
            return new Item(TradePayload.read(document), asSent);
        }
        String field = TRADES + "[" + index + "]";
        return new Item(Reading.wrong(List.of(new Problem(field, field + " must be an object."))), null);
    }

    /**
     * Whether a value contains neither repeated names nor unreadable values. Sent back, those would break the client's
     * parser.
     */
    private static boolean isPlain(@Nullable Object value) {
        if (value instanceof Document document) {
            return document.repeated().isEmpty()
                    && document.members().values().stream().allMatch(BatchJson::isPlain);
        }
        return value instanceof List<?> list
                ? list.stream().allMatch(BatchJson::isPlain)
                : !(value instanceof Document.Unreadable);
    }

    /** Writes the decisions of a batch, each with its item. */
    public static void write(JsonWriter out, List<Item> items, List<AdvisedDecision> decisions) {
        out.integer("count", decisions.size());
        Iterable<Integer> places = () -> IntStream.range(0, decisions.size()).iterator();
        out.array("results", places, (result, i) -> {
            result.integer("index", i);
            payload(result, items.get(i));
            result.object("decision", decisions.get(i), DecisionJson::write);
        });
    }

    private static void payload(JsonWriter out, Item item) {
        String asSent = item.asSent();
        item.trade()
                .fold(
                        sent -> out.object("payload", sent, DecisionJson::asSent),
                        problems -> asSent == null ? out.nothing("payload") : out.raw("payload", asSent));
    }
}
