package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Brokers;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.PaperCustodians;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One node's connection to the custodians. Questions and answers are delayed, lost or duplicated. */
final class UnreliableCustodian implements Custodian, Brokers, PaperCustodians {
    /** A question does not arrive later than this. */
    static final Duration TIMEOUT = Duration.ofSeconds(50);

    private final Simulation simulation;
    private final SimulatedNode node;

    UnreliableCustodian(Simulation simulation, SimulatedNode node) {
        this.simulation = simulation;
        this.node = node;
    }

    @Override
    public ReferencePrice price(Order wanted, Fraction slippage) {
        return ask(
                wanted.kind(),
                () -> wanted.kind() == CustodianKind.PAPER
                        ? simulation.paper.price(wanted, slippage)
                        : simulation.broker.account(wanted.userId()).price(wanted));
    }

    @Override
    public OrderReport place(Order order) {
        Order sent = simulation.mutant.in(order);
        if (simulation.mutant.loses(sent)) {
            throw CustodianFailure.away("Nothing was sent.");
        }
        return ask(sent.kind(), () -> simulation.place(sent));
    }

    @Override
    public OrderReport cancel(Order order) {
        return ask(
                order.kind(),
                () -> order.kind() == CustodianKind.PAPER
                        ? simulation.paper.cancel(order)
                        : simulation.broker.account(order.userId()).cancel(order));
    }

    @Override
    public CustodianReport sync(SyncQuery query) {
        Instant askedAt = simulation.clock.instant();
        return ask(
                query.kind(),
                () -> query.kind() == CustodianKind.PAPER
                        ? simulation.paper.sync(query)
                        : simulation.mutant.in(
                                simulation.broker.account(query.user()).sync(query, askedAt)));
    }

    @Override
    public BrokerAccount account(CustodianKind kind, BrokerCredentials credentials) {
        return ask(kind, () -> new BrokerAccount(kind, credentials.keyId()));
    }

    @Override
    public void replace(UserId user, PaperSetup setup) {
        simulation.paper.replace(user, setup);
    }

    @Override
    public boolean delete(UserId user, String custodian) {
        return simulation.paper.delete(user, custodian);
    }

    private <T> T ask(CustodianKind kind, Supplier<T> question) {
        if (simulation.happens(60)) {
            throw CustodianFailure.away("Nobody listens.");
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (simulation.happens(40)) {
            node.later(() -> answer.completeExceptionally(CustodianFailure.away("The question was lost.")));
            return SimulatedThread.await(answer);
        }
        Instant last = simulation.clock.time().plus(TIMEOUT);
        simulation.scheduler.add(() -> arrived(kind, last, question, answer));
        if (simulation.happens(20)) {
            simulation.scheduler.addLate(() -> arrived(kind, last, question, answer));
        }
        return SimulatedThread.await(answer);
    }

    /** Answers a question that arrived, even if its node has crashed since. */
    private <T> void arrived(CustodianKind kind, Instant last, Supplier<T> question, CompletableFuture<T> answer) {
        boolean isAway = kind.isSynced() && simulation.broker.isAway();
        if (isAway || simulation.clock.time().isAfter(last)) {
            node.later(() -> answer.completeExceptionally(CustodianFailure.away("The broker did not answer.")));
            return;
        }
        Runnable reply;
        try {
            T value = question.get();
            reply = () -> answer.complete(value);
        } catch (CustodianFailure failed) {
            reply = () -> answer.completeExceptionally(failed);
        }
        if (simulation.happens(30)) {
            node.later(() -> answer.completeExceptionally(CustodianFailure.away("The answer was lost.")));
        } else if (simulation.happens(12)) {
            node.late(reply);
        } else {
            node.later(reply);
        }
    }
}
