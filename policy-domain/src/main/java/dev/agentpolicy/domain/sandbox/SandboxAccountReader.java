package dev.agentpolicy.domain.sandbox;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.portfolio.Portfolio;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads the fixed policy and portfolio, and what a test key has used. */
final class SandboxAccountReader implements AccountReader {
    private final Sandbox sandbox;
    private final DemoChain chain;

    SandboxAccountReader(Sandbox sandbox, DemoChain chain) {
        this.sandbox = sandbox;
        this.chain = chain;
    }

    @Override
    public AccountView view(UserId user) {
        return new AccountView(chain.head(), FixedPolicy.IPS, FixedPolicy.PORTFOLIO, Map.of());
    }

    /** A sandbox account has no keys: that the key was let in is enough. */
    @Override
    public CompletionStage<KeyView> view(UserId user, AgentKey presented) {
        return CompletableFuture.completedFuture(
                new KeyView(presented, FixedPolicy.IPS, FixedPolicy.PORTFOLIO, tally(user, presented.id())));
    }

    @Override
    public Tally tally(UserId user, AgentKeyId key) {
        return sandbox.account(user).tallies().getOrDefault(key, Tally.NONE);
    }

    @Override
    public List<IpsVersion> ipsVersions(UserId user) {
        return List.of(FixedPolicy.IPS);
    }

    @Override
    public Optional<IpsVersion> ipsVersion(UserId user, int version) {
        return version == FixedPolicy.IPS.version() ? Optional.of(FixedPolicy.IPS) : Optional.empty();
    }

    @Override
    public List<Portfolio> portfolioHistory(UserId user, Instant since) {
        return List.of(FixedPolicy.PORTFOLIO);
    }
}
