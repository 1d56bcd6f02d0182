package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReply.Away;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMarket;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.CustodianContract;
import dev.agentpolicy.domain.port.PaperBooks.Changed;
import dev.agentpolicy.domain.port.PaperBooks.OrdersNeeded;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;

/** The paper custodian of the tests does what every custodian must do. */
class TestPaperCustodianTest implements CustodianContract {
    private final TestPaperCustodian paper = new TestPaperCustodian(new SettableClock(SampleValues.NOON));
    private final UserId user = UseCaseFixture.USER;
    private boolean losesAnswer;

    @BeforeEach
    void open() {
        Position btc = new Position(BTC, AssetType.CRYPTO, BigDecimal.ONE, Usd.of(30_000));
        CustodianHoldings holdings = new CustodianHoldings(
                id(), "Broker", CustodianKind.PAPER, SampleValues.NOON, 1, Usd.of(10_000), List.of(btc));
        paper.replace(user, new PaperSetup(holdings, Map.of(SPY, Usd.of(500)), PaperMarket.OPEN));
    }

    @Override
    public Custodian custodian() {
        return new Custodian() {
            @Override
            public CompletionStage<CustodianReply<OrderReport>> place(Order order) {
                return unlessLost(() -> paper.place(order));
            }

            @Override
            public CompletionStage<CustodianReply<OrderReport>> cancel(Order order) {
                return unlessLost(() -> paper.cancel(order));
            }

            @Override
            public CompletionStage<CustodianReply<CustodianReport>> sync(SyncQuery query) {
                return unlessLost(() -> paper.sync(query));
            }
        };
    }

    private <T> CompletionStage<CustodianReply<T>> unlessLost(Supplier<CompletionStage<CustodianReply<T>>> call) {
        CompletionStage<CustodianReply<T>> reply = call.get();
        boolean isLost = losesAnswer;
        losesAnswer = false;
        return isLost ? CompletableFuture.completedFuture(new Away<>("The line broke.")) : reply;
    }

    @Override
    public UserId user() {
        return user;
    }

    @Override
    public String id() {
        return "broker";
    }

    @Override
    public CustodianKind kind() {
        return CustodianKind.PAPER;
    }

    @Override
    public void closeMarket() {
        market(new PaperMarket(false, Fraction.ONE, Set.of()));
    }

    @Override
    public void openMarket() {
        market(PaperMarket.OPEN);
    }

    @Override
    public void fillHalf() {
        market(new PaperMarket(true, new Fraction(new BigDecimal("0.5")), Set.of()));
    }

    @Override
    public void loseNextAnswer() {
        losesAnswer = true;
    }

    @Override
    public void buyOneSpyElsewhere() {
        paper.place(new Order(
                "user-1", user, id(), kind(), Action.BUY, SPY, AssetType.TRADFI, null, BigDecimal.ONE, Usd.of(500)));
    }

    @Override
    public boolean orderSpyElsewhere() {
        return false;
    }

    private void market(PaperMarket market) {
        paper.books()
                .change(
                        user,
                        id(),
                        OrdersNeeded.OPEN,
                        book -> new Changed<>(
                                new PaperBook(
                                        book.custodian(),
                                        book.name(),
                                        book.revision() + 1,
                                        book.cash(),
                                        book.positions(),
                                        book.prices(),
                                        market,
                                        book.orders()),
                                true));
    }
}
