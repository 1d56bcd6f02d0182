package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import dev.agentpolicy.domain.usecase.owner.AmendIps;
import dev.agentpolicy.domain.usecase.owner.AttestRequest;
import dev.agentpolicy.domain.usecase.owner.FillRequest;
import dev.agentpolicy.domain.usecase.owner.IssueKeys;
import dev.agentpolicy.domain.usecase.owner.ObservePortfolio;
import dev.agentpolicy.domain.usecase.upkeep.ExpireRequests;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One process of the service: what it was doing is gone when it crashes, and it starts again at once. */
final class Node {
    static final Duration WINDOW = Duration.ofDays(7);
    static final AgentLimits LIMITS = new AgentLimits(8, 30);
    final ValidateTrade validate;
    final ProposeTrade propose;
    final AmendIps amend;
    final ObservePortfolio observe;
    final FillRequest fill;
    final AttestRequest attest;
    final ExpireRequests expire;
    final IssueKeys keys;
    private final Town town;
    private final Duration skew;
    private final List<Call> open = new ArrayList<>();
    private int life;

    Node(Town town, Duration skew) {
        this.town = town;
        this.skew = skew;
        Accounts accounts = new FaultyAccounts(town, this);
        RequestQueue queue = town.store.requestQueue();
        Line line = new Line(town, this);
        validate = new ValidateTrade(accounts, KeyCheck.IN_ACCOUNT, LIMITS);
        propose = new ProposeTrade(accounts, KeyCheck.IN_ACCOUNT, LIMITS, WINDOW);
        amend = new AmendIps(accounts);
        observe = new ObservePortfolio(accounts, line, town.chance);
        fill = new FillRequest(accounts, queue, line, town.clock);
        attest = new AttestRequest(accounts, queue, fill);
        expire = new ExpireRequests(accounts, queue, town.clock);
        keys = new IssueKeys(accounts, town.store, town.chance);
    }

    /** Somebody who waits for an answer, and may wait in vain. */
    private record Call(Runnable lost) {}

    int calls() {
        return open.size();
    }

    /** Counts a call that leads to no decision, some steps after it came. */
    CompletionStage<OptionalLong> count(UserId user, AgentKeyId key, LocalDate day, int cap) {
        CompletableFuture<OptionalLong> answer = new CompletableFuture<>();
        later(() -> {
            OptionalLong counted = town.store
                    .dailyCalls()
                    .count(user, key, day, cap)
                    .toCompletableFuture()
                    .join();
            town.watch.caps.counted(user, key, day, cap, counted);
            later(() -> answer.complete(counted));
        });
        return answer;
    }

    /** A step of this node, which is never taken if it crashes before. */
    void later(Runnable step) {
        town.agenda.add(ifStillThere(step));
    }

    void late(Runnable step) {
        town.agenda.addLate(ifStillThere(step));
    }

    /** Takes a call; its caller is told the answer, or hears nothing and takes it for lost. */
    <R> void take(Supplier<CompletionStage<R>> asks, Consumer<R> told, Runnable lost) {
        Call call = new Call(lost);
        open.add(call);
        town.clock.readWith(skew);
        asks.get().whenComplete((answer, failed) -> {
            if (open.remove(call)) {
                answered(answer, failed, told, lost);
            }
        });
        if (town.happens(50)) {
            town.agenda.add(() -> {
                if (open.remove(call)) {
                    lost.run();
                }
            });
        }
    }

    void crash() {
        life++;
        List<Call> waiting = List.copyOf(open);
        open.clear();
        waiting.forEach(call -> call.lost.run());
    }

    private <R> void answered(R answer, Throwable failed, Consumer<R> told, Runnable lost) {
        try {
            if (failed == null) {
                told.accept(answer);
            } else if (isToBeExpected(failed instanceof CompletionException ? failed.getCause() : failed)) {
                lost.run();
            } else {
                town.verdict.unexpected(failed);
            }
        } catch (AssertionError | RuntimeException broken) {
            town.verdict.unexpected(broken);
        }
    }

    private static boolean isToBeExpected(Throwable failed) {
        return failed instanceof Unavailable || failed instanceof Line.Broken;
    }

    private Runnable ifStillThere(Runnable step) {
        int born = life;
        return () -> {
            if (life == born) {
                town.clock.readWith(skew);
                step.run();
            }
        };
    }
}
