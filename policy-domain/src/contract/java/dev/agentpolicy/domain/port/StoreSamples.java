package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMarket;
import dev.agentpolicy.domain.custodian.PaperMatching;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.port.PaperBooks.Changed;
import dev.agentpolicy.domain.port.PaperBooks.OrdersNeeded;
import dev.agentpolicy.domain.port.signin.Sessions.SessionOrigin;
import dev.agentpolicy.domain.port.signin.Sessions.StoredSession;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sample values to store. */
public final class StoreSamples {
    public static final Instant START = Instant.parse("2026-11-21T09:40:00.000001Z");

    private StoreSamples() {}

    public static UserId user() {
        return new UserId(UUID.randomUUID());
    }

    /** A session opened at its last use. */
    public static StoredSession session(UserId user, Instant lastUsedAt, Instant expiresAt) {
        SessionOrigin origin = new SessionOrigin("192.0.2.7", "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0");
        return new StoredSession(UUID.randomUUID(), user, lastUsedAt, lastUsedAt, expiresAt, origin);
    }

    /** A unique text of 64 hex characters. */
    public static String hash() {
        String half = UUID.randomUUID().toString().replace("-", "");
        return half + half;
    }

    /** A live key with caps. */
    public static AgentKey key(UserId user) {
        return key(user, 1_000);
    }

    /** A live key with this daily call cap; null for none. */
    public static AgentKey key(UserId user, @Nullable Integer dailyCallCap) {
        KeyPolicy policy = new KeyPolicy(
                dailyCallCap,
                Usd.of("5000.5"),
                null,
                Set.of(new AssetSymbol("BTC"), new AssetSymbol("SPY")),
                Set.of(AssetType.CRYPTO));
        return new AgentKey(
                new AgentKeyId(UUID.randomUUID()),
                user,
                "Rebalancer é\uD83D\uDE00",
                KeyType.LIVE,
                Set.of(Scope.READ, Scope.PROPOSE),
                policy,
                hash(),
                "0a1b",
                START,
                START.plus(Duration.ofDays(30)),
                null,
                null,
                List.of(),
                null);
    }

    public static Ips ips(String cashFloor) {
        return Ips.ofCrypto("0.1", "0.2", "0.35")
                .tradfi("0.55", "0.65", "0.8")
                .cashFloor(cashFloor)
                .maxDrawdown("0.25")
                .maxSlippage("0.01")
                .withTier(2);
    }

    public static Portfolio portfolio(long revision, String cash, Instant asOf) {
        Position btc = new Position(
                new AssetSymbol("BTC"), AssetType.CRYPTO, new BigDecimal("0.123456789"), Usd.of("65000.01"));
        CustodianHoldings paper = new CustodianHoldings(
                "paper", "Paper", CustodianKind.PAPER, asOf, revision, Usd.of(cash), List.of(btc));
        return new Portfolio(revision, List.of(paper), Usd.of("123456.789"), asOf);
    }

    /** A buy of 250 USD of BTC. */
    public static Trade trade() {
        return new Trade(Action.BUY, new AssetSymbol("BTC"), AssetType.CRYPTO, Usd.of("250"), null);
    }

    public static Decision decision(boolean allowed, Instant now) {
        Violation violation = new Violation(Rule.ACTION_NOT_ALLOWED, "Buying is not allowed.", null, null);
        return new Decision(allowed ? List.of() : List.of(violation), 1, null, now);
    }

    /** The record of a decision on {@link #trade}. */
    public static EventDraft decided(AgentKeyId key, boolean allowed, Instant now) {
        return DecisionPayload.draft(new DecisionRecord(
                DecisionRecord.Kind.VALIDATE,
                null,
                key,
                trade(),
                null,
                "because \"é\uD83D\uDE00\"",
                null,
                CapUsage.NOTHING,
                decision(allowed, now),
                List.of(),
                List.of(),
                List.of(),
                null,
                null));
    }

    public static Proposal proposal(long id, UserId user, AgentKeyId key, Instant now, Instant expiresAt) {
        return new Proposal(
                id, user, key, "Rebalancer", trade(), null, null, decision(true, now), List.of(), now, expiresAt, null);
    }

    /** A request whose order was filled at once. */
    public static ServiceRequest completed(Pending proposed) {
        Pending accepted = proposed.accepted("paper", CustodianKind.PAPER, Fraction.of("0.01"), START);
        OrderAttempt order = Objects.requireNonNull(accepted.order());
        Fill fill = fill("fill-" + proposed.id(), order.clientOrderId());
        OrderReport report =
                new OrderReport(order.clientOrderId(), "paper-1", new OrderState.Filled(), fill.quantity());
        return accepted.with(order.plus(List.of(fill)).reported(report), START);
    }

    /** A fill of 250 USD of BTC at the custodian {@code paper}. */
    public static Fill fill(String id, @Nullable String clientOrderId) {
        return new Fill(
                "paper",
                id,
                clientOrderId,
                Action.BUY,
                new AssetSymbol("BTC"),
                AssetType.CRYPTO,
                new BigDecimal("0.00384615384615384"),
                Usd.of("65000.5"),
                Usd.of("250"),
                START);
    }

    /** What a user says about the paper custodian {@code paper}: so much cash, and BTC for 65000 USD. */
    public static PaperSetup paperSetup(String cash) {
        CustodianHoldings holdings =
                new CustodianHoldings("paper", "Paper", CustodianKind.PAPER, START, 1, Usd.of(cash), List.of());
        return new PaperSetup(holdings, Map.of(new AssetSymbol("BTC"), Usd.of(65_000)), PaperMarket.OPEN);
    }

    /** Replaces the book of the paper custodian {@code paper}; returns its revision. */
    public static long replace(PaperBooks books, UserId user, String cash) {
        return books.change(user, "paper", OrdersNeeded.OPEN, book -> {
            PaperBook next = PaperMatching.replace(book, paperSetup(cash));
            return new Changed<>(next, next.revision());
        });
    }

    /** A connection that was synced at a time. */
    public static CustodianConnection connection(String id, Instant syncedAt) {
        return new CustodianConnection(
                id,
                "Broker é",
                CustodianKind.ALPACA,
                BrokerEnvironment.PAPER,
                "account-" + id,
                START,
                syncedAt,
                syncedAt.plus(Duration.ofMinutes(15)),
                START,
                ConnectionStatus.STALE,
                "It is away.",
                "A fill was left out.");
    }

    /** A change that names no further parts to load. */
    public static <R> Change<R> change(Function<Account, Outcome<R>> what) {
        return change(LoadSpec.NOTHING, what);
    }

    public static <R> Change<R> change(LoadSpec needs, Function<Account, Outcome<R>> what) {
        return new Change<>() {
            @Override
            public LoadSpec needs() {
                return needs;
            }

            @Override
            public Outcome<R> apply(Account account) {
                return what.apply(account);
            }
        };
    }
}
