package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import java.util.Optional;
import java.util.function.Function;

/** Keeps the books of paper custodians, each book changed alone. */
public interface PaperBooks {

    /**
     * Settles an order on its book, or answers how it was settled before. A fill replaces the book with its holdings
     * in the same commit that remembers the order; a refusal is remembered too.
     *
     * @param settle a pure function of the book, empty when the custodian has none
     */
    OrderResult settle(Order order, Function<Optional<CustodianHoldings>, OrderResult> settle);

    /** Replaces a book; answers it with its new revision, which is above every one before. */
    CustodianHoldings replace(UserId user, CustodianHoldings holdings);
}
