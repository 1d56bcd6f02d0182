package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaAccount;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaFill;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaPosition;
import dev.agentpolicy.adapter.custodian.AlpacaClient.FillBatch;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.document.Instants;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads an account by several calls that give one picture. Orders and fills are read before cash and positions and again
 * after them; when they differ, something happened in between, and everything is read again.
 */
final class AccountReading {
    private static final int MAX_READS = 5;
    /** The first calls of a sync that began at once may be answered out of order, and clocks differ. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);
    /** After this time, fills that are missing will not come any more. */
    private static final Duration LATEST_FILL = Duration.ofMinutes(15);
    /** The finest step of quantities; what an order says is filled may differ from its fills by that. */
    private static final BigDecimal QUANTITY_STEP = new BigDecimal("0.000000001");
    /** Orders and fills of an account in which so little happens that they are remembered. */
    private static final int MAX_REMEMBERED = 100;

    private final AlpacaClient client;
    private final SyncQuery query;
    private final InstantSource clock;
    private final RecentlyUsed<AccountKey, AccountActivity> latest;
    private final Instant since;
    private final AccountKey key;

    /**
     * @param latest what was last read of orders and fills, for accounts in which little happens: if it is still the same,
     *     nothing happened since, and it need not be read before cash and positions as well as after them
     */
    AccountReading(
            AlpacaClient client,
            SyncQuery query,
            InstantSource clock,
            RecentlyUsed<AccountKey, AccountActivity> latest) {
        this.client = client;
        this.latest = latest;
        this.query = query;
        this.clock = clock;
        this.since = query.fillsSince().isAfter(Instant.EPOCH.plus(CLOCK_TOLERANCE))
                ? query.fillsSince().minus(CLOCK_TOLERANCE)
                : Instant.EPOCH;
        this.key = new AccountKey(
                query.user(),
                query.custodian(),
                client.transport().origin(),
                client.credentials().keyId(),
                since);
    }

    /**
     * What activity was read for.
     *
     * @param keyId of the credentials
     * @param since from when on fills were read
     */
    record AccountKey(UserId user, String custodian, URI origin, String keyId, Instant since) {}

    /**
     * What changes an account: orders and fills. When two readings are equal, cash and positions that were read between
     * them belong to both.
     *
     * @param open all orders that are not over, whoever placed them
     * @param ours the orders that were asked for, by client order id; without those that the broker does not know
     * @param fills the oldest first
     * @param isComplete whether there are no later fills
     */
    record AccountActivity(
            List<AlpacaOrder> open, Map<String, AlpacaOrder> ours, List<AlpacaFill> fills, boolean isComplete) {
        AccountActivity {
            open = List.copyOf(open);
            ours = Map.copyOf(ours);
            fills = List.copyOf(fills);
        }

        /** The open orders of others. */
        List<AlpacaOrder> openOfOthers() {
            return open.stream()
                    .filter(order -> !ours.containsKey(order.clientOrderId()))
                    .toList();
        }

        /**
         * Whether the fills of an order of ours do not add up to its filled quantity, because the broker lists a fill
         * later than the order, the cash and the positions show it.
         *
         * @param earlier fills before these
         * @param now orders that last changed long before are not looked at
         */
        boolean lacksFills(List<AlpacaFill> earlier, Instant now) {
            return ours.values().stream()
                    .filter(order -> order.updatedAt().plus(LATEST_FILL).isAfter(now))
                    .anyMatch(order -> order.filledQuantity()
                                    .subtract(listed(order, earlier))
                                    .subtract(listed(order, fills))
                                    .abs()
                                    .compareTo(QUANTITY_STEP)
                            > 0);
        }

        private static BigDecimal listed(AlpacaOrder order, List<AlpacaFill> some) {
            return some.stream()
                    .filter(fill -> fill.orderId().equals(order.id()))
                    .map(AlpacaFill::quantity)
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
        }
    }

    /**
     * An account as it stood at one point in time.
     *
     * @param began when the reading began, by the local clock
     * @param account with its cash
     * @param positions at the broker's prices
     * @param activity orders and fills
     * @param latestTime fills that are dated later are left out
     */
    record AccountPicture(
            Instant began,
            AlpacaAccount account,
            List<AlpacaPosition> positions,
            AccountActivity activity,
            Instant latestTime) {}

    /** @throws CustodianFailure also when the account kept changing */
    AccountPicture run() throws Declined {
        // What was read at the last sync counts as read before: what is still the same did not change in between.
        Optional<AccountActivity> remembered = latest.find(key);
        AccountActivity before = remembered.isPresent() ? remembered.get() : activity(Map.of());
        Map<String, AlpacaOrder> known = remembered.isPresent() ? Map.of() : before.ours();
        for (int read = 1; ; read++) {
            Instant began = Instants.truncated(clock.instant());
            AlpacaAccount account = client.account();
            List<AlpacaPosition> positions = client.positions();
            if (!before.isComplete()) {
                return picture(began, account, positions, before);
            }
            AccountActivity after = activity(known);
            boolean isStill = before.equals(after);
            if (isStill && !after.lacksFills(earlierFills(after), began)) {
                remember(after);
                return picture(began, account, positions, after);
            }
            if (read == MAX_READS) {
                throw CustodianFailure.away(
                        isStill
                                ? "Alpaca does not list all fills of an order yet."
                                : "The account at Alpaca changed while it was read.");
            }
            client.transport().pauseAfter(read);
            before = after;
            known = after.ours();
        }
    }

    private void remember(AccountActivity activity) {
        int items = activity.open().size()
                + activity.ours().size()
                + activity.fills().size();
        if (items <= MAX_REMEMBERED && activity.isComplete()) {
            latest.put(key, activity);
        }
    }

    private AccountPicture picture(
            Instant began, AlpacaAccount account, List<AlpacaPosition> positions, AccountActivity activity)
            throws Declined {
        Instant latestFill = activity.fills().stream()
                .map(AlpacaFill::at)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
        return new AccountPicture(began, account, positions, activity, client.latestTime(latestFill, began));
    }

    /** @param known orders of ours that were read during this sync; those that are over are not asked for again */
    private AccountActivity activity(Map<String, AlpacaOrder> known) throws Declined {
        List<AlpacaOrder> open = client.openOrders();
        Map<String, AlpacaOrder> listed = new HashMap<>();
        open.forEach(order -> listed.put(order.clientOrderId(), order));
        Map<String, AlpacaOrder> ours = new HashMap<>();
        for (Order order : query.open()) {
            String id = order.clientOrderId();
            AlpacaOrder before = known.get(id);
            AlpacaOrder now = before != null && before.state().isOver() ? before : listed.get(id);
            if (now == null) {
                client.orderByClientOrderId(id).ifPresent(found -> ours.put(id, found));
            } else {
                ours.put(id, now);
            }
        }
        FillBatch fills = client.fills(since);
        return new AccountActivity(open, ours, fills.fills(), fills.isComplete());
    }

    /** Fills of our orders from before the time asked for, read only when fills seem to be missing. */
    private List<AlpacaFill> earlierFills(AccountActivity activity) throws Declined {
        Optional<Instant> first = activity.ours().values().stream()
                .map(AlpacaOrder::submittedAt)
                .min(Comparator.naturalOrder())
                .filter(submitted -> submitted.isBefore(since));
        if (first.isEmpty() || !activity.lacksFills(List.of(), Instant.MIN)) {
            return List.of();
        }
        return client.fills(first.get().minus(CLOCK_TOLERANCE)).fills().stream()
                .filter(fill -> !fill.at().isAfter(since))
                .toList();
    }
}
