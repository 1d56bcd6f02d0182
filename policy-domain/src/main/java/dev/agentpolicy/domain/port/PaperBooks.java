package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import java.util.Optional;
import java.util.function.Function;

/** Stores the books of paper custodians; changes of one book happen one at a time. */
public interface PaperBooks {

    /**
     * Executes an order on its book, or returns the result of an earlier execution. The result is stored in the same
     * commit as the new holdings of a fill; a refusal is stored too.
     *
     * @param settle a pure function of the book, which is empty when the custodian has none
     */
    OrderResult settle(Order order, Function<Optional<CustodianHoldings>, OrderResult> settle);

    /** Replaces a book and returns it with its new revision, which is higher than all before. */
    CustodianHoldings replace(UserId user, CustodianHoldings holdings);
}
