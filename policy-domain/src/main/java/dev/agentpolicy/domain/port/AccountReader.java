package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads what was last committed of an account. */
public interface AccountReader {

    /** The account as it stands; an empty one for a user without any. */
    AccountView view(UserId user);

    /** What a key has used, as last recorded; {@link Tally#NONE} when it never was used. */
    Tally tally(UserId user, AgentKeyId key);

    /**
     * What binds a key that was presented, as of one moment and after it was asked for; for who is done with it, see
     * {@link AgentKeys#find}.
     */
    default CompletionStage<KeyView> view(UserId user, AgentKey presented) {
        AccountView standing = view(user);
        AgentKeyId id = presented.id();
        return CompletableFuture.completedFuture(
                new KeyView(standing.keys().get(id), standing.ips(), standing.portfolio(), tally(user, id)));
    }

    /** Every version of the user's IPS, newest first. */
    List<IpsVersion> ipsVersions(UserId user);

    Optional<IpsVersion> ipsVersion(UserId user, int version);

    /** The last portfolio revision of each UTC day from a moment on, oldest first. */
    List<Portfolio> portfolioHistory(UserId user, Instant since);

    /**
     * One consistent view of an account.
     *
     * @param head where the chain ends
     * @param ips the statement in force, null when there is none
     * @param portfolio the present revision, null when nothing was ever held
     * @param keys every key, revoked ones too
     */
    record AccountView(
            ChainHead head,
            @Nullable IpsVersion ips,
            @Nullable Portfolio portfolio,
            Map<AgentKeyId, AgentKey> keys) {}

    /**
     * What binds one key of an account.
     *
     * @param key the key as it stands, null when the account has none of that id
     * @param ips the statement in force, null when there is none
     * @param portfolio the present revision, null when nothing was ever held
     * @param used what the key has used, as last recorded
     */
    record KeyView(
            @Nullable AgentKey key,
            @Nullable IpsVersion ips,
            @Nullable Portfolio portfolio,
            Tally used) {}
}
