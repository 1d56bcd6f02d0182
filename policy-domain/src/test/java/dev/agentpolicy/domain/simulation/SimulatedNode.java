package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.JdkPasskeyVerifier;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.custodian.ObservePortfolio;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncTimes;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.request.AttestRequest;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs;
import dev.agentpolicy.domain.usecase.upkeep.ExpireRequests;
import dev.agentpolicy.domain.usecase.upkeep.SyncDueCustodians;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One process of the service. A crash loses its unfinished work but not its leases, and it restarts at once. */
final class SimulatedNode {
    static final Duration WINDOW = Duration.ofDays(7);
    static final SyncTimes TIMES = new SyncTimes(Duration.ofMinutes(1), Duration.ofMinutes(15));
    static final AgentLimits LIMITS = new AgentLimits(8, 30);
    final ValidateTrade validate;
    final ProposeTrade propose;
    final AmendIps amend;
    final ObservePortfolio observe;
    final ExecuteOrders orders;
    final ConnectCustodian connect;
    final SyncDueCustodians syncs;
    final AttestRequest attest;
    final ExpireRequests expire;
    final IssueKeys keys;
    private final Simulation simulation;
    private final Duration skew;
    private final List<OpenCall> open = new ArrayList<>();
    private final List<SimulatedThread> threads = new ArrayList<>();
    private int life;

    SimulatedNode(Simulation simulation, int number, Duration skew) {
        this.simulation = simulation;
        this.skew = skew;
        Accounts accounts = new UnreliableAccounts(simulation, this);
        RequestQueue queue = simulation.store.requestQueue();
        UnreliableCustodian line = new UnreliableCustodian(simulation, this);
        validate = new ValidateTrade(accounts, KeyCheck.IN_ACCOUNT, LIMITS);
        propose = new ProposeTrade(accounts, KeyCheck.IN_ACCOUNT, LIMITS, WINDOW);
        amend = new AmendIps(accounts, OwnerLimits.NONE, Runnable::run);
        FanOut fanOut = new FanOut(Runnable::run);
        SyncCustodian sync = new SyncCustodian(
                accounts, line, simulation.store.brokerAccounts(), simulation.schedule, TIMES, fanOut);
        observe = new ObservePortfolio(
                accounts,
                simulation.store,
                line,
                line,
                sync,
                simulation.store.fillLog(),
                simulation.randomSource,
                OwnerLimits.NONE);
        connect = new ConnectCustodian(
                accounts,
                simulation.store,
                line,
                simulation.store.brokerAccounts(),
                simulation.credentials,
                line,
                sync);
        orders = new ExecuteOrders(accounts, queue, line, sync, fanOut, this::failed, simulation.clock);
        attest = new AttestRequest(
                accounts,
                queue,
                orders,
                new PasskeyProofs(
                        new JdkPasskeyVerifier(),
                        simulation.store.passkeyChallenges(),
                        simulation.randomSource,
                        simulation.clock));
        syncs = new SyncDueCustodians(
                accounts,
                simulation.schedule,
                simulation.credentials,
                sync,
                TIMES,
                new UUID(5, number),
                simulation.clock,
                bound -> simulation.random.nextInt((int) bound),
                fanOut,
                this::failed);
        expire = new ExpireRequests(accounts, queue, fanOut, simulation.clock);
        keys = new IssueKeys(accounts, simulation.store, simulation.randomSource);
    }

    /** A call that waits for its answer; a crash loses the answer. */
    private record OpenCall(Runnable lost) {}

    int calls() {
        return open.size();
    }

    /** Counts a call without a decision, some steps after it arrived. */
    CompletionStage<OptionalLong> count(UserId user, AgentKeyId key, LocalDate day, int cap) {
        CompletableFuture<OptionalLong> answer = new CompletableFuture<>();
        later(() -> {
            OptionalLong counted = simulation
                    .store
                    .dailyCalls()
                    .count(user, key, day, cap)
                    .toCompletableFuture()
                    .join();
            simulation.checker.caps.counted(user, key, day, cap, counted);
            later(() -> answer.complete(counted));
        });
        return answer;
    }

    /** Schedules a step of this node, which a crash cancels. */
    void later(Runnable step) {
        simulation.scheduler.add(ifStillThere(step));
    }

    void late(Runnable step) {
        simulation.scheduler.addLate(ifStillThere(step));
    }

    /** Starts a call. Its caller gets the answer, or treats the call as lost. */
    <R> void take(Supplier<CompletionStage<R>> asks, Consumer<R> returned, Runnable lost) {
        OpenCall call = new OpenCall(lost);
        open.add(call);
        simulation.clock.readWith(skew);
        asks.get().whenComplete((answer, failed) -> {
            if (open.remove(call)) {
                answered(answer, failed, returned, lost);
            }
        });
        if (simulation.happens(50)) {
            simulation.scheduler.add(() -> {
                if (open.remove(call)) {
                    lost.run();
                }
            });
        }
    }

    /** Starts a call that blocks. Its caller gets the answer, or treats the call as lost. */
    <R> void call(Supplier<R> asks, Consumer<R> returned, Runnable lost) {
        take(
                () -> {
                    CompletableFuture<R> answer = new CompletableFuture<>();
                    threads.add(SimulatedThread.start(() -> {
                        try {
                            answer.complete(asks.get());
                        } catch (RuntimeException | AssertionError failed) {
                            answer.completeExceptionally(failed);
                        }
                    }));
                    return answer;
                },
                returned,
                lost);
    }

    private void failed(CustodianRef custodian, RuntimeException cause) {
        if (!isToBeExpected(cause)) {
            simulation.firstViolation.unexpected(cause);
        }
    }

    void crash() {
        life++;
        SimulatedThread.kill(List.copyOf(threads));
        threads.clear();
        List<OpenCall> waiting = List.copyOf(open);
        open.clear();
        waiting.forEach(call -> call.lost.run());
        syncs.begin();
    }

    private <R> void answered(R answer, Throwable failed, Consumer<R> returned, Runnable lost) {
        try {
            if (failed == null) {
                returned.accept(answer);
            } else if (isToBeExpected(failed instanceof CompletionException ? failed.getCause() : failed)) {
                lost.run();
            } else {
                simulation.firstViolation.unexpected(failed);
            }
        } catch (AssertionError | RuntimeException broken) {
            simulation.firstViolation.unexpected(broken);
        }
    }

    private static boolean isToBeExpected(Throwable failed) {
        return failed instanceof Unavailable;
    }

    private Runnable ifStillThere(Runnable step) {
        int born = life;
        return () -> {
            if (life == born) {
                simulation.clock.readWith(skew);
                step.run();
            }
        };
    }
}
