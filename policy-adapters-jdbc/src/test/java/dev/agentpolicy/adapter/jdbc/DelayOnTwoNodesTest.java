package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.ScheduledAccounts;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.upkeep.BringIntoForce;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two nodes whose clocks differ and whose commits and answers get lost, on an account whose looser policies wait. No decision
 * is made under a policy before its time or after it was ended, and none under the old one when its time has come.
 */
@Tag("slow")
class DelayOnTwoNodesTest extends OnTwoNodes {
    private static final int STEPS = ExperimentSettings.times("delay.steps", 200, 20_000);
    private static final Duration BEHIND = Duration.ofMillis(700);
    private static final Ips LOOSE = StoreSamples.ips("0.05");
    private static final Ips TIGHT = StoreSamples.ips("0.1");

    private final Random random = new Random(ExperimentSettings.seed(DelayOnTwoNodesTest.class));
    private final AgentKey agent = new AgentKey(
            key.id(),
            user,
            key.name(),
            key.type(),
            Set.of(Scope.VALIDATE),
            KeyPolicy.NO_CAPS,
            key.credentialHash(),
            key.last4(),
            key.createdAt(),
            null,
            null,
            null,
            List.of(),
            null);
    private int cameIntoForce;
    private int ended;
    private int decisions;
    private int faults;

    @Test
    void no_decision_is_made_under_a_policy_before_its_time_or_after_its_end() {
        amend(one).put(user, TIGHT).toCompletableFuture().join();
        done(
                one,
                LoadSpec.NOTHING,
                account -> new Recording()
                        .key(agent)
                        .portfolio(StoreSamples.portfolio(1, "100000", account.now()))
                        .passkeys(account.passkeys().protectedBy(ChangeProtection.NONE.withDelay(1, account.now())))
                        .answer(receipts -> true));

        for (int i = 0; i < STEPS; i++) {
            AccountView before = view();
            ScheduledIps waiting = before.passkeys().protection().scheduled();
            pass(waiting);
            boolean isFirst = random.nextBoolean();
            step(isFirst ? one : two, isFirst);
            check(before, waiting);
        }

        System.out.printf(
                "delay: %d came into force, %d ended, %d decisions, %d commits or answers lost%n",
                cameIntoForce, ended, decisions, faults);
        assertThat(List.of(cameIntoForce, ended, decisions, faults)).allMatch(count -> count > STEPS / 100);
        Recomputation recomputation = Recomputation.begin();
        for (long seq = 0; seq < view().head().seq(); seq += EventQuery.DEFAULT_LIMIT) {
            rows(seq).stream()
                    .filter(row -> row.kind() == EventKind.IPS_CREATED || row.kind() == EventKind.IPS_AMENDED)
                    .forEach(row -> assertThat(recomputation.row(row)).isEmpty());
        }
    }

    /** Lets time pass, often to just before or after a policy comes into force. */
    private void pass(@Nullable ScheduledIps waiting) {
        Instant now = clock.instant();
        Instant next = now.plus(Duration.ofSeconds(random.nextInt(600)));
        if (waiting != null && random.nextInt(3) == 0) {
            next = waiting.effectiveAt().plus(Duration.ofNanos(1_000L * (random.nextInt(3) - 1)));
        }
        clock.set(next.isBefore(now) ? now : next);
    }

    private void step(Ports node, boolean isFirst) {
        int fault = isFirst ? random.nextInt(6) : -1;
        if (fault == 0) {
            wire.loseNextCommit();
            faults++;
        } else if (fault == 1) {
            wire.loseAnswerOfNextCommit();
            faults++;
        }
        clock.advance(isFirst ? Duration.ZERO : BEHIND.negated());
        try {
            call(node);
        } catch (CompletionException | Unavailable away) {
            assertThat(away instanceof Unavailable || away.getCause() instanceof Unavailable)
                    .as("%s", away)
                    .isTrue();
        } finally {
            clock.advance(isFirst ? Duration.ZERO : BEHIND);
        }
    }

    private void call(Ports node) {
        ScheduledAccounts accounts = accounts(node);
        AmendIps amend = amend(node);
        switch (random.nextInt(10)) {
            case 0, 1 -> joined(amend.put(user, Amendment.of(LOOSE)));
            case 2 -> joined(amend.put(user, Amendment.of(TIGHT)));
            case 3 -> joined(amend.cancelScheduled(user));
            case 4 -> joined(amend.pause(user, random.nextBoolean()));
            case 5 -> new BringIntoForce(accounts, node.accountReader(), clock).sweep();
            default -> {
                Caller caller = new Caller(agent, user, null, "192.0.2.1");
                ValidateTrade validate = new ValidateTrade(accounts, KeyCheck.IN_ACCOUNT, AgentLimits.NONE);
                String refused = joined(validate.one(caller, SentTrade.of(StoreSamples.trade())))
                        .<String>fold(given -> "", refusal -> refusal.message());
                assertThat(refused).isEmpty();
            }
        }
    }

    /** Compares the new rows with what waited before they came. */
    private void check(AccountView before, @Nullable ScheduledIps scheduled) {
        ScheduledIps waiting = scheduled;
        int version = before.ips() == null ? 0 : before.ips().version();
        for (PolicyEvent row : rows(before.head().seq())) {
            Document payload = CanonicalForm.read(row.payload());
            if (row.kind() == EventKind.IPS_AMENDED) {
                version = ((BigDecimal) payload.get("ipsVersion")).intValueExact();
                if (payload.get("scheduledAt") != null) {
                    assertThat(waiting)
                            .as("what comes into force must have waited")
                            .isNotNull();
                    assertThat(payload.get("scheduledAt")).isEqualTo(Instants.format(waiting.scheduledAt()));
                    assertThat(row.createdAt()).isAfterOrEqualTo(waiting.effectiveAt());
                    waiting = null;
                    cameIntoForce++;
                }
            } else if (row.kind() == EventKind.GUARDRAIL_DECISION) {
                assertThat(((BigDecimal) payload.get("ipsVersion")).intValueExact())
                        .isEqualTo(version);
                assertThat(waiting == null || row.createdAt().isBefore(waiting.effectiveAt()))
                        .as("the time of what waits has not come at %s", row.createdAt())
                        .isTrue();
                decisions++;
            }
        }
        ScheduledIps after = view().passkeys().protection().scheduled();
        ended += waiting != null && !waiting.equals(after) ? 1 : 0;
    }

    private List<PolicyEvent> rows(long after) {
        return two.eventLog().page(user, EventQuery.all().after(after)).rows();
    }

    private AccountView view() {
        return two.accountReader().view(user);
    }

    private static ScheduledAccounts accounts(Ports node) {
        return new ScheduledAccounts(node.accounts(), AmendIps::comeIntoForce);
    }

    private static AmendIps amend(Ports node) {
        return new AmendIps(accounts(node), OwnerLimits.NONE, Runnable::run);
    }

    private static <T> T joined(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
