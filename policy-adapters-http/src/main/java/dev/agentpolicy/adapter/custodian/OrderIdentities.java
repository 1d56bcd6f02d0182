package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.adapter.custodian.BrokerResult.Answered;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds the orders that fills belong to. Fills name their order by the broker's id only, and each sync reads the latest
 * fills again, so what never changes of an order is remembered. Safe for threads.
 */
final class OrderIdentities {
    private static final int MAX_REMEMBERED = 20_000;
    /** More orders than these are looked for in the list of all orders first. */
    private static final int MAX_SINGLE_LOOKUPS = 5;

    private static final int MAX_PAGES = 10;
    private static final float LOAD_FACTOR = 0.75f;

    private final Map<String, OrderIdentity> remembered = new LinkedHashMap<>(16, LOAD_FACTOR, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, OrderIdentity> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    /**
     * What never changes of an order.
     *
     * @param clientOrderId the id it was placed with
     * @param instrument what is traded
     */
    record OrderIdentity(String clientOrderId, Instrument instrument) {
        static OrderIdentity of(AlpacaOrder order) {
            return new OrderIdentity(order.clientOrderId(), order.instrument());
        }
    }

    /** The orders of all fills of an account, by the broker's id; those that the broker does not know are missing. */
    CompletionStage<BrokerResult<Map<String, OrderIdentity>>> of(AlpacaClient client, AccountActivity activity) {
        activity.open().forEach(this::remember);
        activity.ours().values().forEach(this::remember);
        Map<String, OrderIdentity> found = new HashMap<>();
        Set<String> missing = new LinkedHashSet<>();
        for (AlpacaFill fill : activity.fills()) {
            find(fill.orderId())
                    .filter(known -> isCurrent(fill.orderId(), known, activity))
                    .ifPresentOrElse(known -> found.put(fill.orderId(), known), () -> missing.add(fill.orderId()));
        }
        return missing.size() > MAX_SINGLE_LOOKUPS
                ? list(client, missing, found, Optional.empty(), 1)
                : lookUp(client, new ArrayDeque<>(missing), found);
    }

    /** An order of ours has one id at the broker; whatever else was said to be that order is asked for again. */
    private static boolean isCurrent(String orderId, OrderIdentity known, AccountActivity activity) {
        AlpacaOrder ours = activity.ours().get(known.clientOrderId());
        return ours == null || ours.id().equals(orderId);
    }

    private CompletionStage<BrokerResult<Map<String, OrderIdentity>>> list(
            AlpacaClient client,
            Set<String> missing,
            Map<String, OrderIdentity> found,
            Optional<String> before,
            int page) {
        return client.ordersBefore(before)
                .thenCompose(result -> result.then(orders -> {
                    for (AlpacaOrder order : orders) {
                        remember(order);
                        if (missing.remove(order.id())) {
                            found.put(order.id(), OrderIdentity.of(order));
                        }
                    }
                    boolean isEnd = orders.isEmpty() || page == MAX_PAGES || missing.size() <= MAX_SINGLE_LOOKUPS;
                    return isEnd
                            ? lookUp(client, new ArrayDeque<>(missing), found)
                            : list(client, missing, found, Optional.of(last(orders)), page + 1);
                }));
    }

    private static String last(List<AlpacaOrder> orders) {
        return orders.get(orders.size() - 1).id();
    }

    private CompletionStage<BrokerResult<Map<String, OrderIdentity>>> lookUp(
            AlpacaClient client, Queue<String> missing, Map<String, OrderIdentity> found) {
        String next = missing.poll();
        if (next == null) {
            return CompletableFuture.completedStage(new Answered<>(found));
        }
        return client.order(next)
                .thenCompose(result -> result.then(order -> {
                    order.ifPresent(known -> {
                        remember(known);
                        found.put(next, OrderIdentity.of(known));
                    });
                    return lookUp(client, missing, found);
                }));
    }

    private synchronized Optional<OrderIdentity> find(String orderId) {
        return Optional.ofNullable(remembered.get(orderId));
    }

    private synchronized void remember(AlpacaOrder order) {
        remembered.put(order.id(), OrderIdentity.of(order));
    }
}
