package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.PaperBook;
import java.util.List;
import java.util.function.Function;

/** Stores the books of paper custodians; changes of one book happen one at a time. Methods block. */
public interface PaperBooks {

    /**
     * Which orders of a book a change needs beside the open ones.
     *
     * @param revision orders that changed after this revision of the book
     * @param clientOrderId the order with this id; empty for none
     */
    record OrdersNeeded(long revision, String clientOrderId) {
        /** The open orders only. */
        public static final OrdersNeeded OPEN = new OrdersNeeded(Long.MAX_VALUE, "");
    }

    /**
     * A book after a change.
     *
     * @param book what is stored
     * @param result for the caller
     */
    record Changed<R>(PaperBook book, R result) {}

    /** A book of a user. */
    record BookRef(UserId user, String custodian) {}

    /**
     * Changes a book; durable on return. Nothing is written when the book stays as it is.
     *
     * @param change a pure function of the book, which {@link PaperBook#exists} or not; may be applied again when a commit
     *     fails
     */
    <R> R change(UserId user, String custodian, OrdersNeeded orders, Function<PaperBook, Changed<R>> change);

    /** The book as last committed, without its orders; it {@link PaperBook#exists} or not. */
    PaperBook find(UserId user, String custodian);

    /** Deletes a book with its orders; false when there is none. */
    boolean delete(UserId user, String custodian);

    /** The books of all users, at most so many. */
    List<BookRef> all(int limit);
}
