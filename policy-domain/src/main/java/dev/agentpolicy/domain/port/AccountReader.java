package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.ListedIpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads the last committed state of accounts. */
public interface AccountReader {

    /** The current account; an empty one for a user who has none. */
    AccountView view(UserId user);

    /** The last recorded tally of a key; {@link Tally#NONE} when it was never used. */
    Tally tally(UserId user, AgentKeyId key);

    /**
     * The key that was presented and what binds it, all read at one point in time after this call. Completes on a
     * thread that must not block, as {@link AgentKeys#find} does.
     */
    default CompletionStage<KeyView> view(UserId user, AgentKey presented) {
        AccountView account = view(user);
        AgentKeyId id = presented.id();
        return CompletableFuture.completedFuture(new KeyView(
                account.keys().get(id),
                account.ips(),
                account.portfolio(),
                account.connections(),
                tally(user, id),
                account.flows()));
    }

    /**
     * Versions of the user's IPS, newest first.
     *
     * @param before only versions with a smaller number
     */
    List<IpsVersion> ipsVersions(UserId user, int before, int limit);

    /** As above, without the documents. */
    List<ListedIpsVersion> listedIpsVersions(UserId user, int before, int limit);

    Optional<IpsVersion> ipsVersion(UserId user, int version);

    /** Users whose scheduled policy is due at a time, those whose is due longest first. */
    List<UserId> dueSchedules(Instant now, int limit);

    /** The totals of the last portfolio revision of each UTC day since a time, oldest first. */
    List<PortfolioDay> portfolioHistory(UserId user, Instant since);

    /**
     * The portfolio revision that was current at a time; empty when there was none then. Of past days only the last
     * revision may be known any more, so the answer may be one of an earlier day.
     */
    Optional<Portfolio> portfolioAt(UserId user, Instant time);

    /**
     * An account, all read at one point in time.
     *
     * @param head the end of the chain
     * @param ips the IPS in force; null when there is none
     * @param portfolio the current revision; null when the user never held anything
     * @param connections the connections to synced custodians
     * @param passkeys of the user
     * @param flows what was proposed and allowed in the windows of the flow limits
     * @param keys every key, revoked ones too
     */
    record AccountView(
            ChainHead head,
            @Nullable IpsVersion ips,
            @Nullable Portfolio portfolio,
            CustodianConnections connections,
            OwnerPasskeys passkeys,
            FlowCounts flows,
            Map<AgentKeyId, AgentKey> keys) {
        /** The present name of an agent, for sentences. */
        public String agentName(AgentKeyId id) {
            AgentKey key = keys.get(id);
            return key == null ? "An agent" : key.name();
        }
    }

    /**
     * A key and what binds it, all read at one point in time.
     *
     * @param key the current key; null when the account has none with that id
     * @param ips the IPS in force; null when there is none
     * @param portfolio the current revision; null when the user never held anything
     * @param connections the connections to synced custodians
     * @param used the last recorded tally of the key
     * @param flows what was proposed and allowed in the windows of the flow limits
     */
    record KeyView(
            @Nullable AgentKey key,
            @Nullable IpsVersion ips,
            @Nullable Portfolio portfolio,
            CustodianConnections connections,
            Tally used,
            FlowCounts flows) {}
}
