package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.adapter.custodian.AccountReading.AccountActivity;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaFill;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the orders that fills belong to. Fills name their order by the broker's id only, and each sync reads the latest
 * fills again, so what never changes of an order is remembered. Safe for threads.
 */
final class OrderIdentities {
    private static final int MAX_REMEMBERED = 20_000;
    /** More orders than these are looked for in the list of all orders first. */
    private static final int MAX_SINGLE_LOOKUPS = 5;

    private static final int MAX_PAGES = 10;

    private final RecentlyUsed<String, OrderIdentity> remembered = new RecentlyUsed<>(MAX_REMEMBERED);

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
    Map<String, OrderIdentity> of(AlpacaClient client, AccountActivity activity) throws Declined {
        activity.open().forEach(this::remember);
        activity.ours().values().forEach(this::remember);
        Map<String, OrderIdentity> found = new HashMap<>();
        Set<String> missing = new LinkedHashSet<>();
        for (AlpacaFill fill : activity.fills()) {
            remembered
                    .find(fill.orderId())
                    .filter(known -> isCurrent(fill.orderId(), known, activity))
                    .ifPresentOrElse(known -> found.put(fill.orderId(), known), () -> missing.add(fill.orderId()));
        }
        List<AlpacaOrder> listed = List.of();
        for (int page = 0; page < MAX_PAGES && missing.size() > MAX_SINGLE_LOOKUPS; page++) {
            listed = client.orders("all", listed).orders();
            if (listed.isEmpty()) {
                break;
            }
            for (AlpacaOrder order : listed) {
                remember(order);
                if (missing.remove(order.id())) {
                    found.put(order.id(), OrderIdentity.of(order));
                }
            }
        }
        for (String id : missing) {
            Optional<AlpacaOrder> order = client.order(id);
            if (order.isPresent()) {
                remember(order.get());
                found.put(id, OrderIdentity.of(order.get()));
            }
        }
        return found;
    }

    /** An order of ours has one id at the broker; whatever else was said to be that order is asked for again. */
    private static boolean isCurrent(String orderId, OrderIdentity known, AccountActivity activity) {
        AlpacaOrder ours = activity.ours().get(known.clientOrderId());
        return ours == null || ours.id().equals(orderId);
    }

    private void remember(AlpacaOrder order) {
        remembered.put(order.id(), OrderIdentity.of(order));
    }
}
