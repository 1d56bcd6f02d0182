package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReply.Away;
import dev.agentpolicy.domain.custodian.CustodianReply.Given;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Brokers;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.PaperCustodians;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
    public CompletionStage<CustodianReply<OrderReport>> place(Order order) {
        Order sent = simulation.mutant.in(order);
        if (simulation.mutant.loses(sent)) {
            return CompletableFuture.completedFuture(new Away<>("Nothing was sent."));
        }
        return ask(sent.kind(), () -> simulation.place(sent));
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> cancel(Order order) {
        return ask(
                order.kind(),
                () -> order.kind() == CustodianKind.PAPER
                        ? simulation.paper.cancel(order).toCompletableFuture().join()
                        : simulation.broker.account(order.userId()).cancel(order));
    }

    @Override
    public CompletionStage<CustodianReply<CustodianReport>> sync(SyncQuery query) {
        Instant askedAt = simulation.clock.instant();
        return ask(
                query.kind(),
                () -> query.kind() == CustodianKind.PAPER
                        ? simulation.paper.sync(query).toCompletableFuture().join()
                        : simulation
                                .broker
                                .account(query.user())
                                .sync(query, askedAt)
                                .map(simulation.mutant::in));
    }

    @Override
    public CompletionStage<CustodianReply<BrokerAccount>> account(CustodianKind kind, BrokerCredentials credentials) {
        return ask(kind, () -> new Given<>(new BrokerAccount(credentials.keyId())));
    }

    @Override
    public CompletionStage<Boolean> replace(UserId user, PaperSetup setup) {
        return simulation.paper.replace(user, setup);
    }

    @Override
    public CompletionStage<Boolean> delete(UserId user, String custodian) {
        return simulation.paper.delete(user, custodian);
    }

    private <T> CompletionStage<CustodianReply<T>> ask(CustodianKind kind, Supplier<CustodianReply<T>> question) {
        if (simulation.happens(60)) {
            return CompletableFuture.completedFuture(new Away<>("Nobody listens."));
        }
        CompletableFuture<CustodianReply<T>> answer = new CompletableFuture<>();
        if (simulation.happens(40)) {
            node.later(() -> answer.complete(new Away<>("The question was lost.")));
            return answer;
        }
        Instant last = simulation.clock.time().plus(TIMEOUT);
        simulation.scheduler.add(() -> arrived(kind, last, question, answer));
        if (simulation.happens(20)) {
            simulation.scheduler.addLate(() -> arrived(kind, last, question, answer));
        }
        return answer;
    }

    /** Answers a question that arrived, even if its node has crashed since. */
    private <T> void arrived(
            CustodianKind kind,
            Instant last,
            Supplier<CustodianReply<T>> question,
            CompletableFuture<CustodianReply<T>> answer) {
        boolean isAway = kind.isSynced() && simulation.broker.isAway();
        if (isAway || simulation.clock.time().isAfter(last)) {
            node.later(() -> answer.complete(new Away<>("The broker did not answer.")));
            return;
        }
        CustodianReply<T> reply = question.get();
        if (simulation.happens(30)) {
            node.later(() -> answer.complete(new Away<>("The answer was lost.")));
        } else if (simulation.happens(12)) {
            node.late(() -> answer.complete(reply));
        } else {
            node.later(() -> answer.complete(reply));
        }
    }
}
