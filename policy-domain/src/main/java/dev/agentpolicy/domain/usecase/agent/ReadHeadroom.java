package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.decision.PendingTrade;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalUse;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.KeyView;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.AccountState;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.WaitingRequests;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Computes how much of an asset a key may buy or sell now, and how much once every pending request of the user has been
 * accepted (docs/reference/agent-api.md, headroom). Records nothing.
 *
 * <p>Every method blocks on a few queries.
 */
public record ReadHeadroom(AccountReader accounts, RequestQueue requests, InstantSource clock) {
    /** Maximum number of assets in {@link #all}. */
    public static final int MAX_ASSETS = 200;

    private static final int MAX_ATTEMPTS = 3;

    /**
     * The headroom of one asset and action.
     *
     * @param asked what was asked; its amount has no meaning
     * @param now the amounts that are allowed now
     * @param ifPendingAccepted the amounts that will be allowed once every pending request has been accepted and filled
     * @param ipsVersion version of the IPS, as in a decision: null when there is none, and when the sleeve is wrong
     * @param snapshot the portfolio, as in a decision
     * @param checkedAt the time of the answer, in microseconds
     */
    public record AssetHeadroom(
            SentTrade asked,
            Headroom now,
            Headroom ifPendingAccepted,
            @Nullable Integer ipsVersion,
            @Nullable Snapshot snapshot,
            Instant checkedAt) {}

    /**
     * The headroom of one asset and action. Refused when the key of the caller no longer works.
     *
     * @param callsToday today's calls that count towards the key's daily call cap, this one included; null for a key
     *     without a cap
     */
    public Answer<AssetHeadroom> of(Caller caller, @Nullable Long callsToday, SentTrade asked) {
        return read(caller, callsToday, standing -> standing.headroom(asked));
    }

    /**
     * The headroom of every asset that is held or that the IPS names, for both actions, without slippage: first what is
     * held, then what the IPS names, in alphabetical order. At most {@value #MAX_ASSETS} assets. Where nothing says
     * what sleeve a named asset belongs to, it is looked at as crypto.
     *
     * @param callsToday as in {@link #of}
     */
    public Answer<List<AssetHeadroom>> all(Caller caller, @Nullable Long callsToday) {
        return read(caller, callsToday, Standing::ofKnownAssets);
    }

    /**
     * Reads the key with what binds it, and the requests. These are separate queries, so the first is made again after
     * the second: if nothing has changed, both were read at one point in time.
     */
    private <T> Answer<T> read(Caller caller, @Nullable Long callsToday, Function<Standing, T> result) {
        KeyView view = view(caller);
        List<Pending> pending = WaitingRequests.of(requests, caller.account(), Integer.MAX_VALUE);
        for (int attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
            KeyView again = view(caller);
            if (again.equals(view)) {
                break;
            }
            view = again;
            pending = WaitingRequests.of(requests, caller.account(), Integer.MAX_VALUE);
        }
        return answer(caller, callsToday, view, pending, result);
    }

    private <T> Answer<T> answer(
            Caller caller,
            @Nullable Long callsToday,
            KeyView view,
            List<Pending> pending,
            Function<Standing, T> result) {
        Instant now = Instants.truncated(clock.instant());
        CapUsage used = view.used().at(now).used(callsToday);
        AccountState account = AccountState.of(view.ips(), view.portfolio(), view.connections(), view.flows(), now);
        return ReadState.reader(caller, view.key(), now)
                .map(key -> result.apply(new Standing(
                        account,
                        key.id(),
                        key.policy(),
                        used,
                        account.approvals(key.id(), List.of()),
                        trades(key, pending, now))));
    }

    private KeyView view(Caller caller) {
        return accounts.view(caller.account(), caller.key())
                .toCompletableFuture()
                .join();
    }

    /** The trades of requests that the user can still accept. Orders under way are in the portfolio. */
    private static List<PendingTrade> trades(AgentKey key, List<Pending> pending, Instant now) {
        return pending.stream()
                .filter(request -> !request.isExpired(now))
                .map(ServiceRequest::proposal)
                .map(proposal ->
                        new PendingTrade(proposal.trade(), proposal.agentKeyId().equals(key.id())))
                .toList();
    }

    /** Everything that binds a key at one time. */
    private record Standing(
            AccountState account,
            AgentKeyId agent,
            KeyPolicy policy,
            CapUsage used,
            List<ApprovalUse> approvals,
            List<PendingTrade> pending) {

        AssetHeadroom headroom(SentTrade asked) {
            EvaluationContext context =
                    account.context(List.of(), agent, policy, asked, used).with(approvals);
            Headroom now = Headroom.of(context);
            Trade trade = context.trade();
            boolean isRefused = context.asset() != null && context.asset().refuses(trade.assetType());
            IpsVersion version = isRefused ? null : context.ips();
            return new AssetHeadroom(
                    asked,
                    now,
                    pending.isEmpty() ? now : ifPendingAccepted(asked),
                    version == null ? null : version.version(),
                    context.snapshot(),
                    account.now());
        }

        private Headroom ifPendingAccepted(SentTrade asked) {
            List<Trade> trades = pending.stream().map(PendingTrade::trade).toList();
            return Headroom.of(PendingTrade.allFilled(
                    account.context(trades, agent, policy, asked, used).with(approvals), pending));
        }

        List<AssetHeadroom> ofKnownAssets() {
            List<AssetHeadroom> found = new ArrayList<>();
            for (Trade trade : knownAssets()) {
                found.add(headroom(SentTrade.of(trade)));
            }
            return found;
        }

        /** A trade of each asset and action, without an amount. */
        private List<Trade> knownAssets() {
            AssetResolver resolver = account.resolver(List.of());
            Set<AssetSymbol> symbols = new LinkedHashSet<>(held());
            if (account.ips() != null) {
                account.ips().ips().named().forEach(symbol -> symbols.add(resolver.canonical(symbol)));
            }
            List<Trade> trades = new ArrayList<>();
            for (AssetSymbol symbol : symbols.stream().limit(MAX_ASSETS).toList()) {
                AssetType sleeve = resolver.resolve(symbol, AssetType.CRYPTO, symbol.value())
                        .assetType();
                for (Action action : Action.values()) {
                    trades.add(new Trade(action, symbol, sleeve, Usd.ZERO, null));
                }
            }
            return trades;
        }

        private Set<AssetSymbol> held() {
            Set<AssetSymbol> held = new LinkedHashSet<>();
            Portfolio portfolio = account.portfolio();
            for (CustodianHoldings holdings :
                    portfolio == null ? List.<CustodianHoldings>of() : portfolio.custodians()) {
                for (Position position : holdings.positions()) {
                    if (position.quantity().signum() > 0) {
                        held.add(position.symbol());
                    }
                }
            }
            return held;
        }
    }
}
