package dev.agentpolicy.domain.sandbox;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;

/** The fixed chain that test keys read. It has the same content at every start, and is signed by the sandbox key. */
final class DemoChain {
    /** The rows of the IPS and of the key. */
    private static final int ROWS_BEFORE_DECISIONS = 2;

    private static final String SALT = "A".repeat(22);
    private static final AgentKeyId KEY = new AgentKeyId(UUID.fromString("00000000-0000-4000-8000-000000000001"));

    private final List<PolicyEvent> rows;

    private DemoChain(List<PolicyEvent> rows) {
        this.rows = List.copyOf(rows);
    }

    static DemoChain signedBy(EventSigner signer) {
        List<PolicyEvent> rows = new ArrayList<>();
        ChainHead head = ChainHead.genesis(FixedPolicy.NOBODY);
        for (EventDraft draft : drafts()) {
            UUID eventId = new UUID(0x7000L, 0x8000_0000_0000_0000L + head.seq() + 1);
            Instant at = time(head.seq());
            PolicyEvent row = EventChain.next(head, draft, eventId, SALT, at, signer.keyId(), signer::sign);
            rows.add(row);
            head = ChainHead.after(row);
        }
        return new DemoChain(rows);
    }

    ChainHead head() {
        return ChainHead.after(rows.get(rows.size() - 1));
    }

    EventPage page(EventQuery query) {
        List<PolicyEvent> inOrder = new ArrayList<>(rows);
        boolean isAscending = query.order() == EventQuery.Direction.ASC;
        if (!isAscending) {
            Collections.reverse(inOrder);
        }
        List<PolicyEvent> found = inOrder.stream()
                .filter(row -> query.kind().isEmpty() || query.kind().get() == row.kind())
                .filter(row -> query.since().isEmpty()
                        || !row.createdAt().isBefore(query.since().get()))
                .filter(row -> query.after().isEmpty()
                        || (isAscending
                                ? row.seq() > query.after().getAsLong()
                                : row.seq() < query.after().getAsLong()))
                .limit(query.limit() + 1L)
                .toList();
        return EventPage.of(query, found);
    }

    private static List<EventDraft> drafts() {
        return List.of(
                EventPayloads.ips(FixedPolicy.IPS, null),
                EventPayloads.key(EventKind.KEY_MINTED, key()),
                decision("SPY", AssetType.TRADFI, 2_000, 0),
                decision("ETH", AssetType.CRYPTO, 9_000, 1));
    }

    /** The time of a row: one minute after the row before. */
    private static Instant time(long rowsBefore) {
        return FixedPolicy.SINCE.plusSeconds(60 * rowsBefore);
    }

    private static AgentKey key() {
        return new AgentKey(
                KEY,
                FixedPolicy.NOBODY,
                "Demonstration",
                KeyType.TEST,
                EnumSet.allOf(Scope.class),
                KeyPolicy.NO_CAPS,
                "0".repeat(64),
                "0000",
                FixedPolicy.SINCE,
                null,
                null,
                null,
                List.of(),
                null);
    }

    private static EventDraft decision(String symbol, AssetType type, long amountUsd, long callsBefore) {
        Trade trade = new Trade(Action.BUY, new AssetSymbol(symbol), type, Usd.of(amountUsd), null);
        ResolvedAsset asset = KnownAssets.resolver(FixedPolicy.PORTFOLIO, FixedPolicy.IPS, List.of())
                .resolve(trade.asset(), type, symbol);
        Usd held = FixedPolicy.PORTFOLIO.held(trade.asset(), type);
        CapUsage used = new CapUsage(callsBefore, Usd.ZERO, Usd.ZERO);
        EvaluationContext context = new EvaluationContext(
                trade,
                asset,
                FixedPolicy.IPS,
                FixedPolicy.PORTFOLIO.snapshot().orElseThrow(),
                held,
                KeyPolicy.NO_CAPS,
                used,
                time(ROWS_BEFORE_DECISIONS + callsBefore));
        return DecisionPayload.draft(new DecisionRecord(
                DecisionRecord.Kind.VALIDATE,
                null,
                KEY,
                trade,
                asset,
                null,
                held,
                used,
                Evaluator.decide(context),
                List.of(),
                List.of(),
                List.of(),
                null,
                null));
    }
}
