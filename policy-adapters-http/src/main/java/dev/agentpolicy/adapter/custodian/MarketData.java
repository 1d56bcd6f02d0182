package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.adapter.custodian.AlpacaJson.Shape;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What an asset costs by Alpaca's market data (docs/reference/custodians.md, Price bound). No feed is asked for, so Alpaca
 * answers from the best one of the account: all US exchanges where the user pays for it, otherwise IEX.
 *
 * @param client of the account
 * @param instrument what is to be traded
 */
record MarketData(AlpacaClient client, Instrument instrument) {
    private static final Duration MAX_QUOTE_AGE = Duration.ofSeconds(60);
    private static final Duration MAX_TRADE_AGE = Duration.ofMinutes(15);
    /** A time later than this after the broker's clock cannot be. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

    private static final BigDecimal LEAST_SPREAD = new BigDecimal("0.02");
    private static final BigDecimal TWO = BigDecimal.valueOf(2);

    /**
     * A price at a time, by the broker's clock.
     *
     * @param value of one unit in dollars, above 0
     */
    record PriceAt(BigDecimal value, Instant at) {}

    /** The best bid and ask. Alpaca says 0 where there is none. */
    private record AlpacaQuote(BigDecimal bid, BigDecimal ask, Instant at) {
        static AlpacaQuote of(AlpacaJson json) throws FailedAttempt {
            return new AlpacaQuote(
                    json.required(json.usd("bp"), "bp"), json.required(json.usd("ap"), "ap"), json.instant("t"));
        }

        /** Whether both sides are there and lie close enough together. */
        boolean isTight(Fraction slippage) {
            BigDecimal most = slippage.value().multiply(TWO).max(LEAST_SPREAD);
            BigDecimal middle = bid.add(ask).divide(TWO);
            return bid.signum() > 0
                    && ask.signum() > 0
                    && ask.subtract(bid).abs().compareTo(most.multiply(middle)) <= 0;
        }
    }

    /**
     * The ask for a buy and the bid for a sell, or the last trade where the quote is too old, too wide or one-sided.
     *
     * @param now by the broker's clock
     * @param isOpen whether the market of shares is open; while it is not, quotes and trades of shares may be of any age
     * @throws CustodianFailure a refusal when there is no price; otherwise market data is away
     */
    PriceAt reference(Action action, Fraction slippage, Instant now, boolean isOpen) throws Declined {
        boolean isAnyAge = instrument.type() == AssetType.TRADFI && !isOpen;
        Optional<PriceAt> quoted = latest("quotes", AlpacaQuote::of)
                .filter(quote -> isCurrent(quote.at(), now, isAnyAge, MAX_QUOTE_AGE) && quote.isTight(slippage))
                .map(quote -> new PriceAt(action == Action.BUY ? quote.ask() : quote.bid(), quote.at()));
        if (quoted.isPresent()) {
            return quoted.get();
        }
        return latest("trades", MarketData::trade)
                .filter(trade -> isCurrent(trade.at(), now, isAnyAge, MAX_TRADE_AGE))
                .orElseThrow(() -> CustodianFailure.refused(
                        "Alpaca has no current price for " + instrument.symbol() + ", so nothing was ordered."));
    }

    private static PriceAt trade(AlpacaJson json) throws FailedAttempt {
        return new PriceAt(json.required(json.positiveUsd("p"), "p"), json.instant("t"));
    }

    private static boolean isCurrent(Instant at, Instant now, boolean isAnyAge, Duration maxAge) {
        return !at.isAfter(now.plus(CLOCK_TOLERANCE)) && (isAnyAge || !at.isBefore(now.minus(maxAge)));
    }

    /** The latest one of the asset; empty when there never was any. */
    private <T> Optional<T> latest(String kind, Shape<T> shape) throws Declined {
        String path = instrument.type() == AssetType.CRYPTO
                ? "/v1beta3/crypto/us/latest/" + kind
                : "/v2/stocks/" + kind + "/latest";
        return client.marketData(path, instrument.orderSymbol(), json -> {
            Optional<AlpacaJson> found = json.member(kind).existing(instrument.orderSymbol());
            return found.isEmpty() ? Optional.empty() : Optional.of(shape.read(found.get()));
        });
    }
}
