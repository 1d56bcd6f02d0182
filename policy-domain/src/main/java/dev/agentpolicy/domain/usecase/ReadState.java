package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.KeyStanding;
import dev.agentpolicy.domain.port.AgentKeys;
import dev.agentpolicy.domain.portfolio.Portfolio;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads what is in force and what is held (specification, mandate and holdings). */
public final class ReadState {
    private final AccountReader accounts;
    private final InstantSource clock;

    public ReadState(AccountReader accounts, InstantSource clock) {
        this.accounts = accounts;
        this.clock = clock;
    }

    /**
     * The policy bundle of a key.
     *
     * @param ips the statement in force, null when there is none
     * @param portfolio the present revision, null when nothing was ever held
     * @param used what the key has used today
     */
    public record Mandate(
            @Nullable IpsVersion ips, @Nullable Portfolio portfolio, Tally used) {}

    /** What binds a caller; for who is done with it, see {@link AgentKeys#find}. */
    public CompletionStage<Mandate> mandate(Caller caller) {
        return seen(caller)
                .thenApply(seen ->
                        new Mandate(seen.ips(), seen.portfolio(), seen.used().at(clock.instant())));
    }

    /** What the user of a caller holds; for who is done with it, see {@link AgentKeys#find}. */
    public CompletionStage<Optional<Portfolio>> portfolio(Caller caller) {
        return seen(caller).thenApply(seen -> Optional.ofNullable(seen.portfolio()));
    }

    private CompletionStage<KeyStanding> seen(Caller caller) {
        return accounts.standing(caller.account(), caller.key().id());
    }

    /** What a key has used, as it stands today. */
    public Tally used(UserId account, AgentKeyId key) {
        return accounts.tally(account, key).at(clock.instant());
    }

    public Optional<Portfolio> portfolio(UserId account) {
        return Optional.ofNullable(accounts.standing(account).portfolio());
    }

    public Optional<IpsVersion> ips(UserId account) {
        return Optional.ofNullable(accounts.standing(account).ips());
    }

    /** Every version of the IPS, newest first. */
    public List<IpsVersion> ipsVersions(UserId account) {
        return accounts.ipsVersions(account);
    }

    public Optional<IpsVersion> ipsVersion(UserId account, int version) {
        return accounts.ipsVersion(account, version);
    }

    /** The last revision of each of the last days, oldest first. */
    public List<Portfolio> history(UserId account, int days) {
        return accounts.portfolioHistory(account, clock.instant().minus(Duration.ofDays(days)));
    }
}
