package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.decision.Receipt;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A proposed trade and its state: pending, completed or rejected (specification, States and transitions). Only a
 * pending request can change.
 */
public sealed interface ServiceRequest {
    /** The only type of service request. */
    String TYPE = "agent_proposed_trade";

    Proposal proposal();

    RequestStatus status();

    /** Applies the function for the state of this request. */
    <R> R fold(Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected);

    default long id() {
        return proposal().id();
    }

    /** Why the request was rejected; null when it was not, or no reason was given. */
    default @Nullable String reason() {
        return fold(pending -> null, completed -> null, rejected -> rejected.reason);
    }

    default Optional<Instant> resolvedAt() {
        return fold(
                pending -> Optional.empty(),
                completed -> Optional.of(completed.at),
                rejected -> Optional.of(rejected.at));
    }

    /** The states of a request. */
    enum RequestStatus {
        PENDING("pending"),
        COMPLETED("completed"),
        REJECTED("rejected");

        private final String wireName;

        RequestStatus(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    /**
     * A request that waits for the user's answer or, once accepted, for its fill.
     *
     * @param proposal what was proposed
     * @param acceptance the user's acceptance; null while the request waits for the user
     * @param attempts number of acceptances so far
     * @param executionError why the last acceptance was not executed; null when nothing went wrong
     */
    record Pending(
            Proposal proposal,
            @Nullable Acceptance acceptance,
            int attempts,
            @Nullable String executionError) implements ServiceRequest {

        public static Pending of(Proposal proposal) {
            return new Pending(proposal, null, 0, null);
        }

        /** The same request with the receipt of its proposal. */
        public Pending withReceipt(Receipt receipt) {
            return new Pending(proposal.withReceipt(receipt), acceptance, attempts, executionError);
        }

        public boolean isAccepted() {
            return acceptance != null;
        }

        /** Whether the request has expired. An accepted request does not expire. */
        public boolean isExpired(Instant now) {
            return !isAccepted() && !now.isBefore(proposal.expiresAt());
        }

        public Pending accepted(String custodian, Instant now) {
            Acceptance given = new Acceptance(custodian, attempts + 1, now);
            return new Pending(proposal, given, given.attempt(), null);
        }

        /** The request after its order was not filled: it waits for the user again. */
        public Pending notExecuted(String error) {
            return new Pending(proposal, null, attempts, error);
        }

        public Completed completed(Execution execution, Instant now) {
            return new Completed(proposal, execution, now);
        }

        public Rejected rejected(@Nullable String reason, Instant now) {
            return new Rejected(proposal, reason, now);
        }

        @Override
        public RequestStatus status() {
            return RequestStatus.PENDING;
        }

        @Override
        public <R> R fold(
                Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected) {
            return pending.apply(this);
        }
    }

    /**
     * A request whose trade was executed.
     *
     * @param proposal what was proposed
     * @param execution the fill
     * @param at when the fill was recorded
     */
    record Completed(Proposal proposal, Execution execution, Instant at) implements ServiceRequest {

        @Override
        public RequestStatus status() {
            return RequestStatus.COMPLETED;
        }

        @Override
        public <R> R fold(
                Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected) {
            return completed.apply(this);
        }
    }

    /**
     * A request that the user rejected, that expired, or whose key was revoked.
     *
     * @param proposal what was proposed
     * @param reason the user's reason, {@link #EXPIRED} or {@link #KEY_REVOKED}; null when the user gave none
     * @param at when it was rejected
     */
    record Rejected(Proposal proposal, @Nullable String reason, Instant at) implements ServiceRequest {
        public static final String EXPIRED = "expired";
        public static final String KEY_REVOKED = "key_revoked";

        @Override
        public RequestStatus status() {
            return RequestStatus.REJECTED;
        }

        @Override
        public <R> R fold(
                Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected) {
            return rejected.apply(this);
        }
    }
}
