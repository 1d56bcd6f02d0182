package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.adapter.custodian.BrokerResult.Answered;
import dev.agentpolicy.adapter.custodian.BrokerResult.Unreachable;
import dev.agentpolicy.adapter.custodian.LatestActivities.AccountKey;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.document.Instants;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads an account by several calls that give one picture. Orders and fills are read before cash and positions and again
 * after them; when they differ, something happened in between, and everything is read again.
 */
final class AccountReading {
    private static final int MAX_READS = 5;
    /** The first calls of a sync that began at once may be answered out of order, and clocks differ. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);
    /** A report of many fills must reach this far, or the next one would begin at the same place. */
    private static final Duration MIN_SPAN = Duration.ofMinutes(30);

    private static final int MAX_FILLS = 5_000;

    private final AlpacaClient client;
    private final SyncQuery query;
    private final InstantSource clock;
    private final LatestActivities latest;
    private final Instant since;
    private final AccountKey key;

    AccountReading(AlpacaClient client, SyncQuery query, InstantSource clock, LatestActivities latest) {
        this.client = client;
        this.latest = latest;
        this.query = query;
        this.clock = clock;
        this.since = query.fillsSince().isAfter(Instant.EPOCH.plus(CLOCK_TOLERANCE))
                ? query.fillsSince().minus(CLOCK_TOLERANCE)
                : Instant.EPOCH;
        this.key = new AccountKey(query.user(), query.custodian(), client.key(), since);
    }

    /** Cash and positions. */
    private record Balances(AlpacaAccount account, List<AlpacaPosition> positions) {}

    /** The picture; unreachable also when the account kept changing. */
    CompletionStage<BrokerResult<AccountPicture>> run() {
        Optional<AccountActivity> before = latest.find(key);
        return before.isPresent()
                ? read(before.get(), Map.of(), 1)
                : activity(Map.of()).thenCompose(first -> first.then(read -> read(read, read.ours(), 1)));
    }

    /**
     * @param before read before; also at the last sync, since what is still the same did not change in between
     * @param known orders of ours that were read during this sync
     */
    private CompletionStage<BrokerResult<AccountPicture>> read(
            AccountActivity before, Map<String, AlpacaOrder> known, int read) {
        Instant began = Instants.truncated(clock.instant());
        return balances()
                .thenCompose(result -> result.then(balances -> before.isComplete()
                        ? activity(known)
                                .thenCompose(
                                        second -> second.then(after -> settled(began, balances, before, after, read)))
                        : picture(began, before, balances)));
    }

    private CompletionStage<BrokerResult<AccountPicture>> settled(
            Instant began, Balances balances, AccountActivity before, AccountActivity after, int read) {
        if (!before.equals(after)) {
            return again(after, read, "The account at Alpaca changed while it was read.");
        }
        return earlierFills(after)
                .thenCompose(result -> result.then(earlier -> {
                    if (after.withMissingFills(earlier, began).isPresent()) {
                        return again(after, read, "Alpaca does not list all fills of an order yet.");
                    }
                    latest.put(key, after);
                    return picture(began, after, balances);
                }));
    }

    private CompletionStage<BrokerResult<AccountPicture>> again(AccountActivity before, int read, String reason) {
        return read == MAX_READS
                ? CompletableFuture.completedStage(new Unreachable<>(reason))
                : client.pause(read).thenCompose(done -> read(before, before.ours(), read + 1));
    }

    private CompletionStage<BrokerResult<AccountPicture>> picture(
            Instant began, AccountActivity activity, Balances balances) {
        return client.latestTime(activity.latestFill().orElse(Instant.EPOCH), began)
                .thenApply(result -> result.map(
                        time -> new AccountPicture(began, balances.account(), balances.positions(), activity, time)));
    }

    private static <T> CompletionStage<BrokerResult<T>> done(T value) {
        return CompletableFuture.completedStage(new Answered<>(value));
    }

    private CompletionStage<BrokerResult<Balances>> balances() {
        CompletionStage<BrokerResult<List<AlpacaPosition>>> positions = client.positions();
        return client.account()
                .thenCompose(account -> account.then(
                        read -> positions.thenApply(result -> result.map(held -> new Balances(read, held)))));
    }

    /** @param known orders of ours; those that are over are not asked for again */
    private CompletionStage<BrokerResult<AccountActivity>> activity(Map<String, AlpacaOrder> known) {
        CompletionStage<BrokerResult<FillBatch>> fills = fills(since);
        return client.openOrders()
                .thenCompose(result -> result.then(open -> ours(open, known)
                        .thenCompose(found -> found.then(ours -> fills.thenApply(read -> read.map(
                                batch -> new AccountActivity(open, ours, batch.fills(), batch.isComplete())))))));
    }

    private CompletionStage<BrokerResult<Map<String, AlpacaOrder>>> ours(
            List<AlpacaOrder> open, Map<String, AlpacaOrder> known) {
        Map<String, AlpacaOrder> listed = new HashMap<>();
        open.forEach(order -> listed.put(order.clientOrderId(), order));
        Map<String, AlpacaOrder> found = new HashMap<>();
        Queue<String> missing = new ArrayDeque<>();
        for (Order order : query.open()) {
            String id = order.clientOrderId();
            AlpacaOrder before = known.get(id);
            AlpacaOrder now = before != null && before.state().isFinal() ? before : listed.get(id);
            if (now == null) {
                missing.add(id);
            } else {
                found.put(id, now);
            }
        }
        return ask(missing, found);
    }

    private CompletionStage<BrokerResult<Map<String, AlpacaOrder>>> ask(
            Queue<String> missing, Map<String, AlpacaOrder> found) {
        String next = missing.poll();
        if (next == null) {
            return done(found);
        }
        return client.orderByClientOrderId(next)
                .thenCompose(result -> result.then(order -> {
                    order.ifPresent(known -> found.put(next, known));
                    return ask(missing, found);
                }));
    }

    private CompletionStage<BrokerResult<FillBatch>> fills(Instant from) {
        FillCursor start = from.equals(Instant.EPOCH) ? FillCursor.start() : FillCursor.since(from);
        return fills(new FillBatch(List.of(), start, false), from.plus(MIN_SPAN));
    }

    private CompletionStage<BrokerResult<FillBatch>> fills(FillBatch before, Instant enough) {
        return client.fills(before.next())
                .thenCompose(result -> result.then(batch -> {
                    List<AlpacaFill> all = new ArrayList<>(before.fills());
                    all.addAll(batch.fills());
                    FillBatch read = new FillBatch(all, batch.next(), batch.isComplete());
                    boolean isEnough = all.size() >= MAX_FILLS
                            || !all.isEmpty() && all.get(all.size() - 1).at().isAfter(enough);
                    return batch.isComplete() || isEnough ? done(read) : fills(read, enough);
                }));
    }

    /** Fills of our orders from before the time asked for, read only when fills seem to be missing. */
    private CompletionStage<BrokerResult<List<AlpacaFill>>> earlierFills(AccountActivity activity) {
        Optional<Instant> first =
                activity.withMissingFills(List.of(), Instant.MIN).isEmpty()
                        ? Optional.empty()
                        : activity.ours().values().stream()
                                .map(AlpacaOrder::submittedAt)
                                .min(Comparator.naturalOrder())
                                .filter(submitted -> submitted.isBefore(since));
        return first.isEmpty()
                ? done(List.of())
                : fills(first.get().minus(CLOCK_TOLERANCE)).thenApply(result -> result.map(this::untilSince));
    }

    private List<AlpacaFill> untilSince(FillBatch batch) {
        return batch.fills().stream().filter(fill -> !fill.at().isAfter(since)).toList();
    }
}
