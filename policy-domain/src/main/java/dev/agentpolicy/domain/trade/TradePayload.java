package dev.agentpolicy.domain.trade;

import static dev.agentpolicy.domain.document.Schema.derived;
import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Schema.Member;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the body of validate and headroom, an item of a batch and the base of propose (specification, TradePayload). */
public final class TradePayload {
    public static final BigDecimal MAX_AMOUNT_USD = new BigDecimal("1000000000000");
    public static final int MAX_AMOUNT_DECIMALS = 8;
    /** An amount as trades, caps and conditions have it. */
    public static final Codec<Usd> AMOUNT =
            Codec.decimal(BigDecimal.ZERO, MAX_AMOUNT_USD, MAX_AMOUNT_DECIMALS).as(Usd::new, Usd::value);

    public static final BigDecimal MAX_SLIPPAGE_PCT = new BigDecimal(100);
    public static final int MAX_SLIPPAGE_DECIMALS = 100;

    /** A trade in a document of the log. */
    public static final Codec<Trade> SIGNED =
            Codec.object(signed -> readSigned(signed).orElseThrow(), TradePayload::toSigned);

    private static final Codec<Percent> SLIPPAGE = Codec.decimal(
                    BigDecimal.ZERO, MAX_SLIPPAGE_PCT, MAX_SLIPPAGE_DECIMALS)
            .as(Percent::new, Percent::value);

    private static final Schema<Trade> SCHEMA = schema(required("amountUsd", AMOUNT, Trade::amount));
    /** A trade in a document that a user sends or that is stored. */
    public static final Codec<Trade> TRADE = Codec.object(SCHEMA);

    private static final Schema<Trade> WITHOUT_AMOUNT = schema(derived("amountUsd", AMOUNT, Trade::amount));

    private TradePayload() {}

    private static Schema<Trade> schema(Member<Trade> amount) {
        return Schema.of(
                row -> new Trade(row.next(), row.next(), row.next(), row.nextOr(Usd.ZERO), row.next()),
                required("action", Codec.word(Action.class), Trade::action),
                required("assetSymbol", AssetSymbol.CODEC, Trade::asset),
                required("assetType", Codec.word(AssetType.class), Trade::assetType),
                amount,
                nullable("expectedSlippagePct", SLIPPAGE, Trade::expectedSlippage));
    }

    /** Reads a trade that an agent sent. */
    public static Reading<SentTrade> read(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        return fields.finish(sent(fields, sent));
    }

    /** Reads a trade that an agent sent without an amount (docs/reference/agent-api.md, headroom). Its amount is 0. */
    public static Reading<SentTrade> readWithoutAmount(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        return fields.finish(sent(sent, trade(WITHOUT_AMOUNT, fields)));
    }

    /** Reads the trade of a signed payload, with decimals as text. */
    public static Reading<Trade> readSigned(Document signed) {
        return SCHEMA.read(signed, Decimals.TEXT);
    }

    /**
     * Reads the five fields of a trade from a document that may have others. The supplier works if the fields have no
     * problem.
     */
    public static Supplier<SentTrade> sent(Fields fields, Document sent) {
        return sent(sent, trade(SCHEMA, fields));
    }

    private static Supplier<SentTrade> sent(Document sent, Supplier<Trade> trade) {
        return () -> new SentTrade(trade.get(), String.valueOf(sent.get("assetSymbol")));
    }

    private static Supplier<Trade> trade(Schema<Trade> schema, Fields fields) {
        Trade trade = schema.read(fields);
        return () -> Fields.present(trade);
    }

    /** The members of a trade in a signed payload. */
    public static Map<String, @Nullable Object> toSigned(Trade trade) {
        return SCHEMA.write(trade);
    }

    /** The violations of {@code invalid_payload}: one for each reported problem. */
    public static List<Violation> violations(List<Problem> problems) {
        return problems.stream()
                .map(problem -> Violation.of(Rule.INVALID_PAYLOAD, problem.message()))
                .toList();
    }
}
