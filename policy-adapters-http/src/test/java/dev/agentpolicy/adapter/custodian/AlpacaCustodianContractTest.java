package dev.agentpolicy.adapter.custodian;

import static dev.agentpolicy.adapter.custodian.Broker.PATIENT;

import dev.agentpolicy.alpaca.Fault;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.alpaca.StandInMarket.Execution;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.CustodianContract;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import org.junit.jupiter.api.AfterEach;

/** Alpaca as any custodian, at the stand-in. */
class AlpacaCustodianContractTest implements CustodianContract {
    private static final String BY_CLIENT_ORDER_ID = "/v2/orders:by_client_order_id";

    private final Broker broker = new Broker();
    private final StandInAccount account = account();
    /** Asks once only: an answer that is lost is not asked for again by the transport. */
    private final ConnectedAccount connected = new ConnectedAccount(broker, account, Broker.attempts(1, PATIENT));

    private boolean isNextAnswerLost;

    private StandInAccount account() {
        broker.standIn.market().coin("BTC/USD", "30000");
        return broker.standIn.account("contract", "10000").hold("BTC/USD", "1");
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Override
    public Custodian custodian() {
        return new Forgetful();
    }

    /** Loses the answer to the call that does what the custodian is asked to, and to the call that would tell. */
    private final class Forgetful implements Custodian {
        @Override
        public ReferencePrice price(Order wanted, Fraction slippage) {
            return connected.custodian.price(wanted, slippage);
        }

        @Override
        public OrderReport place(Order order) {
            if (isNextAnswerLost) {
                broker.standIn.faults().next("POST", "/v2/orders", Fault.LOST_ANSWER);
                broker.standIn.before(
                        "POST",
                        "/v2/orders",
                        () -> broker.standIn.faults().next("GET", BY_CLIENT_ORDER_ID, Fault.SERVER_ERROR));
            }
            isNextAnswerLost = false;
            return connected.custodian.place(order);
        }

        @Override
        public OrderReport cancel(Order order) {
            if (isNextAnswerLost) {
                broker.standIn.faults().next("DELETE", "/v2/orders/", Fault.LOST_ANSWER);
            }
            isNextAnswerLost = false;
            return connected.custodian.cancel(order);
        }

        @Override
        public CustodianReport sync(SyncQuery query) {
            if (isNextAnswerLost) {
                broker.standIn.faults().next("GET", "/v2/positions", Fault.SERVER_ERROR);
            }
            isNextAnswerLost = false;
            return connected.custodian.sync(query);
        }
    }

    @Override
    public UserId user() {
        return connected.user;
    }

    @Override
    public String id() {
        return ConnectedAccount.CUSTODIAN;
    }

    @Override
    public CustodianKind kind() {
        return CustodianKind.ALPACA;
    }

    /** Coins trade at all hours at Alpaca, so their orders are left open, too. */
    @Override
    public void closeMarket() {
        broker.standIn.market().execution(Execution.BY_HAND);
    }

    @Override
    public void openMarket() {
        broker.standIn.market().execution(Execution.AT_ONCE);
        broker.standIn.openMarket();
    }

    @Override
    public void movePrice(String usd) {
        broker.standIn.market().coin("BTC/USD", usd);
    }

    @Override
    public void fillHalf() {
        broker.standIn.market().execution(Execution.HALF);
    }

    @Override
    public void loseNextAnswer() {
        isNextAnswerLost = true;
    }

    @Override
    public void buyOneSpyElsewhere() {
        account.tradeByHand("SPY", true, "1");
    }

    @Override
    public boolean orderSpyElsewhere() {
        account.leaveOpen("SPY", "500", "by-hand");
        return true;
    }
}
