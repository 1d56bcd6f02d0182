package dev.agentpolicy.domain.custodian;

import org.jspecify.annotations.Nullable;

/** Where an order stands. */
public sealed interface OrderState {

    /** The state as it is stored and shown. */
    String wireName();

    /** Why the custodian rejected the order; null when it did not. */
    default @Nullable String reason() {
        return null;
    }

    /** Whether nothing more will be filled. */
    default boolean isOver() {
        return true;
    }

    /** The order was or will be sent; the custodian has not confirmed it. */
    record Sent() implements OrderState {
        @Override
        public String wireName() {
            return "sent";
        }

        @Override
        public boolean isOver() {
            return false;
        }
    }

    /** The custodian has the order and has filled nothing of it. */
    record Open() implements OrderState {
        @Override
        public String wireName() {
            return "open";
        }

        @Override
        public boolean isOver() {
            return false;
        }
    }

    /** A part is filled; the rest is open. */
    record PartiallyFilled() implements OrderState {
        @Override
        public String wireName() {
            return "partially_filled";
        }

        @Override
        public boolean isOver() {
            return false;
        }
    }

    /** Everything is filled. */
    record Filled() implements OrderState {
        @Override
        public String wireName() {
            return "filled";
        }
    }

    /** The order was cancelled; a part may be filled. */
    record Cancelled() implements OrderState {
        @Override
        public String wireName() {
            return "cancelled";
        }
    }

    /**
     * The custodian rejected the order.
     *
     * @param reason an English sentence for the user
     */
    record Rejected(String reason) implements OrderState {
        @Override
        public String wireName() {
            return "rejected";
        }
    }

    /** The order's time ran out; a part may be filled. */
    record Expired() implements OrderState {
        @Override
        public String wireName() {
            return "expired";
        }
    }

    /**
     * The state with a name.
     *
     * @param reason of a rejection; otherwise without meaning
     * @throws IllegalArgumentException for an unknown name
     */
    static OrderState of(String wireName, String reason) {
        return switch (wireName) {
            case "sent" -> new Sent();
            case "open" -> new Open();
            case "partially_filled" -> new PartiallyFilled();
            case "filled" -> new Filled();
            case "cancelled" -> new Cancelled();
            case "rejected" -> new Rejected(reason);
            case "expired" -> new Expired();
            default -> throw new IllegalArgumentException("There is no order state " + wireName + ".");
        };
    }
}
