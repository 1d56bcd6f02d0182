package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.usecase.AccountState;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says how a trade would be decided now, and how much would be allowed (docs/reference/app-api.md, trying a trade). Records
 * nothing and uses no cap. Blocks on a few queries.
 */
public final class TryTrade {
    private final AccountReader accounts;
    private final AccountReader sandbox;
    private final ReadState usage;
    private final ReadState sandboxUsage;
    private final InstantSource clock;

    /**
     * Creates the use case.
     *
     * @param accounts the users' accounts
     * @param usage reads what live keys have used of their caps
     * @param sandbox the accounts of test keys, which have a fixed policy and portfolio
     * @param sandboxUsage reads what test keys have used
     */
    public TryTrade(
            AccountReader accounts,
            ReadState usage,
            AccountReader sandbox,
            ReadState sandboxUsage,
            InstantSource clock) {
        this.accounts = accounts;
        this.sandbox = sandbox;
        this.usage = usage;
        this.sandboxUsage = sandboxUsage;
        this.clock = clock;
    }

    /**
     * The result of a trial.
     *
     * @param decision how the trade would be decided, with the suggestion it would carry
     * @param headroom the amounts that would be allowed
     */
    public record Trial(AdvisedDecision decision, Headroom headroom) {}

    /** Tries a trade under the policy of a user alone. */
    public Trial underPolicy(UserId user, SentTrade sent) {
        return trial(accounts.view(user), null, KeyPolicy.NO_CAPS, CapUsage.NOTHING, sent, now());
    }

    /** Tries a trade of one of the user's keys, with its caps. Refused when the key does not work. */
    public Answer<Trial> byKey(UserId user, AgentKeyId id, SentTrade sent) {
        Instant now = now();
        AccountView account = accounts.view(user);
        AgentKey key = account.keys().get(id);
        if (key == null || !key.isActive(now)) {
            return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no working key with this id."));
        }
        if (key.type() == KeyType.TEST) {
            UserId ownAccount = Caller.sandboxAccount(key);
            CapUsage used = sandboxUsage.used(ownAccount, key);
            return Answer.given(trial(sandbox.view(ownAccount), id, key.policy(), used, sent, now));
        }
        return Answer.given(trial(account, id, key.policy(), usage.used(user, key), sent, now));
    }

    private Instant now() {
        return Instants.truncated(clock.instant());
    }

    private static Trial trial(
            AccountView account,
            @Nullable AgentKeyId key,
            KeyPolicy policy,
            CapUsage used,
            SentTrade sent,
            Instant now) {
        AccountState state =
                AccountState.of(account.ips(), account.portfolio(), account.connections(), account.flows(), now);
        EvaluationContext context = state.context(List.of(), key, policy, sent, used)
                .with(key == null ? List.of() : state.approvals(key, List.of()));
        Decision decision = Evaluator.decide(context);
        Headroom headroom = Headroom.of(context);
        return new Trial(new AdvisedDecision(decision, decision.isAllowed() ? null : headroom.maxAllowed()), headroom);
    }
}
