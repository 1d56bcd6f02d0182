package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperOrder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Paper books in memory. */
public final class InMemoryPaperBooks implements PaperBooks {
    private final Map<BookRef, PaperBook> books = new LinkedHashMap<>();

    @Override
    public synchronized <R> R change(
            UserId user, String custodian, OrdersNeeded orders, Function<PaperBook, Changed<R>> change) {
        BookRef ref = new BookRef(user, custodian);
        PaperBook stored = books.getOrDefault(ref, PaperBook.none(custodian));
        PaperBook needed = with(stored, only(stored.orders(), orders));
        Changed<R> changed = change.apply(needed);
        if (!changed.book().equals(needed)) {
            Map<String, PaperOrder> all = new HashMap<>(stored.orders());
            all.putAll(changed.book().orders());
            books.put(ref, with(changed.book(), all));
        }
        return changed.result();
    }

    @Override
    public PaperBook find(UserId user, String custodian) {
        return with(book(user, custodian), Map.of());
    }

    @Override
    public synchronized boolean delete(UserId user, String custodian) {
        return books.remove(new BookRef(user, custodian)) != null;
    }

    @Override
    public synchronized List<BookRef> all(int limit) {
        return books.keySet().stream().limit(limit).toList();
    }

    /** The current content of a book, with all its orders. */
    public synchronized PaperBook book(UserId user, String custodian) {
        return books.getOrDefault(new BookRef(user, custodian), PaperBook.none(custodian));
    }

    private static Map<String, PaperOrder> only(Map<String, PaperOrder> all, OrdersNeeded needed) {
        Map<String, PaperOrder> found = new HashMap<>();
        all.forEach((id, order) -> {
            boolean isNeeded = !order.state().isOver()
                    || order.revision() > needed.revision()
                    || id.equals(needed.clientOrderId());
            if (isNeeded) {
                found.put(id, order);
            }
        });
        return found;
    }

    private static PaperBook with(PaperBook book, Map<String, PaperOrder> orders) {
        return new PaperBook(
                book.custodian(),
                book.name(),
                book.revision(),
                book.cash(),
                book.positions(),
                book.prices(),
                book.market(),
                orders);
    }
}
