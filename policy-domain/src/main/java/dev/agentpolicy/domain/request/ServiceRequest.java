package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.decision.Receipt;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A proposed trade on its way through its user's hands (specification, States and transitions). Only a pending request
 * can move.
 */
public sealed interface ServiceRequest {
    /** The one type there is. */
    String TYPE = "agent_proposed_trade";

    Proposal proposal();

    Status status();

    /** Goes on by state. */
    <R> R fold(Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected);

    default long id() {
        return proposal().id();
    }

    /** Why it was rejected, or null. */
    default @Nullable String reason() {
        return fold(pending -> null, completed -> null, rejected -> rejected.reason);
    }

    default Optional<Instant> resolvedAt() {
        return fold(
                pending -> Optional.empty(),
                completed -> Optional.of(completed.at),
                rejected -> Optional.of(rejected.at));
    }

    /** The states, as the specification and the contract write them. */
    enum Status {
        PENDING("pending"),
        COMPLETED("completed"),
        REJECTED("rejected");

        private final String wireName;

        Status(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    /**
     * Waits for its user, or for its fill once the user has accepted.
     *
     * @param proposal what was proposed
     * @param acceptance the user's yes, null until given
     * @param attempts acceptances so far
     * @param executionError why the last acceptance could not be executed, null when nothing went wrong
     */
    record Pending(
            Proposal proposal,
            @Nullable Acceptance acceptance,
            int attempts,
            @Nullable String executionError) implements ServiceRequest {

        public static Pending of(Proposal proposal) {
            return new Pending(proposal, null, 0, null);
        }

        /** The same, now that the log tells of it. */
        public Pending withReceipt(Receipt receipt) {
            return new Pending(proposal.withReceipt(receipt), acceptance, attempts, executionError);
        }

        public boolean isAccepted() {
            return acceptance != null;
        }

        /** Whether nobody resolved it in time. An accepted request does not expire. */
        public boolean isExpired(Instant now) {
            return !isAccepted() && !now.isBefore(proposal.expiresAt());
        }

        public Pending accepted(String custodian, Instant now) {
            Acceptance given = new Acceptance(custodian, attempts + 1, now);
            return new Pending(proposal, given, given.attempt(), null);
        }

        /** Back to waiting: the custodian did not execute it. */
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
        public Status status() {
            return Status.PENDING;
        }

        @Override
        public <R> R fold(
                Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected) {
            return pending.apply(this);
        }
    }

    /**
     * Executed.
     *
     * @param proposal what was proposed
     * @param execution what the custodian did
     * @param at when its fill was recorded
     */
    record Completed(Proposal proposal, Execution execution, Instant at) implements ServiceRequest {

        @Override
        public Status status() {
            return Status.COMPLETED;
        }

        @Override
        public <R> R fold(
                Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected) {
            return completed.apply(this);
        }
    }

    /**
     * Turned down by the user, expired, or made by a key that was revoked.
     *
     * @param proposal what was proposed
     * @param reason the user's own, {@link #EXPIRED}, {@link #KEY_REVOKED}, or null when none was given
     * @param at when
     */
    record Rejected(Proposal proposal, @Nullable String reason, Instant at) implements ServiceRequest {
        public static final String EXPIRED = "expired";
        public static final String KEY_REVOKED = "key_revoked";

        @Override
        public Status status() {
            return Status.REJECTED;
        }

        @Override
        public <R> R fold(
                Function<Pending, R> pending, Function<Completed, R> completed, Function<Rejected, R> rejected) {
            return rejected.apply(this);
        }
    }
}
