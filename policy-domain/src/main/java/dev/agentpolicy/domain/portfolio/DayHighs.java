package dev.agentpolicy.domain.portfolio;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.quantity.Usd;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The highest confirmed values of a portfolio on the last UTC days (docs/reference/rules.md, The highs of days). They are
 * raised and scaled as the peak is, and never above it.
 *
 * @param days those on which the portfolio changed, oldest first; on a day without a change, the value that stood at its
 *     midnight stands
 */
public record DayHighs(List<DayHigh> days) {
    /** The highs of a portfolio that was stored before they were kept. */
    public static final DayHighs NONE = new DayHighs(List.of());

    static final Schema<DayHigh> STORED = Schema.of(
            row -> new DayHigh(row.next(), row.next()),
            required("day", Codec.meaning("must be a date", LocalDate::parse, LocalDate::toString), DayHigh::day),
            required("high", Usd.CODEC, DayHigh::high));

    public DayHighs {
        days = List.copyOf(days);
    }

    /**
     * The highest value of one day.
     *
     * @param day the UTC day
     * @param high in USD, scaled by later deposits and withdrawals
     */
    public record DayHigh(LocalDate day, Usd high) {}

    /** The highs at a later time: a new day begins with the confirmed value that stands. */
    DayHighs at(Instant now, Supplier<Usd> confirmed) {
        LocalDate today = day(now);
        boolean isToday = !days.isEmpty() && !days.get(days.size() - 1).day.isBefore(today);
        if (isToday) {
            return this;
        }
        List<DayHigh> next = new ArrayList<>(days);
        next.add(new DayHigh(today, confirmed.get()));
        next.removeIf(it -> !it.day.isAfter(today.minusDays(Limit.MAX_WINDOW_DAYS)));
        return new DayHighs(next);
    }

    /** Other values of the days before the last one, and of the last one. */
    DayHighs map(UnaryOperator<Usd> earlier, UnaryOperator<Usd> last) {
        List<DayHigh> next = new ArrayList<>(days);
        next.replaceAll(it -> new DayHigh(it.day, earlier.apply(it.high)));
        if (!days.isEmpty()) {
            DayHigh before = days.get(days.size() - 1);
            next.set(days.size() - 1, new DayHigh(before.day, last.apply(before.high)));
        }
        return new DayHighs(next);
    }

    /** The highest value of the last days, today included; empty when none of them is known. */
    Optional<Usd> highest(int windowDays, Instant now) {
        LocalDate before = day(now).minusDays(windowDays);
        return days.stream()
                .filter(it -> it.day.isAfter(before))
                .map(DayHigh::high)
                .reduce(Usd::max);
    }

    private static LocalDate day(Instant now) {
        return LocalDate.ofInstant(now, ZoneOffset.UTC);
    }
}
