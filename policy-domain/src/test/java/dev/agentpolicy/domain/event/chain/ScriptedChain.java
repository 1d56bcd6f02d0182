package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Attestation;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A chain written by hand. Every row is recomputed when it is added; the result is its difference, or null. */
public final class ScriptedChain {
    public static final AgentKeyId KEY = new AgentKeyId(new UUID(0, 1));
    public static final Attestation YES = new Attestation(true, null);
    public static final Attestation NO = new Attestation(false, "no");

    public final Recomputation recomputation = Recomputation.begin();
    private ChainHead head = ChainHead.genesis(TestChain.USER);
    private Instant now = TestChain.START;
    private @Nullable IpsVersion ips;

    /** A chain with a statement in force and a key with every scope. */
    public static ScriptedChain begun() {
        ScriptedChain chain = new ScriptedChain();
        assertThat(chain.statement(1)).isNull();
        assertThat(chain.tell(EventPayloads.key(EventKind.KEY_MINTED, key(KEY))))
                .isNull();
        return chain;
    }

    static AgentKey key(AgentKeyId id, Scope... scopes) {
        return key(id, KeyPolicy.NO_CAPS, scopes);
    }

    static AgentKey key(AgentKeyId id, KeyPolicy policy, Scope... scopes) {
        return new AgentKey(
                id,
                TestChain.USER,
                "Robot",
                KeyType.LIVE,
                Set.of(scopes.length == 0 ? Scope.values() : scopes),
                policy,
                "0".repeat(64),
                "0000",
                TestChain.START,
                null,
                null,
                null,
                List.of(),
                null);
    }

    public static CapUsage used(long calls, long usd, long aum) {
        return new CapUsage(calls, Usd.of(usd), Usd.of(aum));
    }

    public Instant now() {
        return now;
    }

    void later(Duration duration) {
        now = now.plus(duration);
    }

    @Nullable
    String statement(int version) {
        return tell(statementOf(version));
    }

    /** Puts a new statement in force. */
    EventDraft statementOf(int version) {
        IpsVersion before = ips;
        ips = new IpsVersion(version, SampleValues.plainIps(), now);
        return EventPayloads.ips(ips, before);
    }

    @Nullable
    public String validated(String trade, CapUsage used) {
        return tell(decided(Kind.VALIDATE, null, trade, used, null, null));
    }

    @Nullable
    String batched(int index, String trade, CapUsage used) {
        return tell(decided(Kind.VALIDATE_BATCH, index, trade, used, null, null));
    }

    @Nullable
    public String proposed(String trade, CapUsage used, @Nullable Long id) {
        return tell(decided(Kind.PROPOSE, null, trade, used, null, id));
    }

    @Nullable
    public String attested(Attestation said, String trade, long aum, long id) {
        return tell(decided(Kind.ATTESTATION, null, trade, used(0, 0, aum), said, id));
    }

    @Nullable
    public String filled(String trade, @Nullable Long id) {
        return tell(fill(trade, id));
    }

    public EventDraft fill(String text, @Nullable Long id) {
        Trade trade = SampleValues.trade(text);
        Fill fill = new Fill(
                "broker",
                "x",
                null,
                trade.action(),
                trade.asset(),
                trade.assetType(),
                BigDecimal.ONE,
                trade.amount(),
                trade.amount(),
                now);
        return EventPayloads.tradeObserved(new RecordedFill(fill, id), null);
    }

    /** The right decision on a trade of the key; a rejected request is decided without statement and portfolio. */
    public EventDraft decided(
            Kind kind,
            @Nullable Integer index,
            String text,
            CapUsage used,
            @Nullable Attestation said,
            @Nullable Long id) {
        return decided(KEY, kind, index, text, used, said, id);
    }

    public EventDraft decided(
            AgentKeyId key,
            Kind kind,
            @Nullable Integer index,
            String text,
            CapUsage used,
            @Nullable Attestation said,
            @Nullable Long id) {
        Trade trade = SampleValues.trade(text);
        Decision decision = said != null && !said.isAccepted()
                ? new Decision(List.of(), null, null, now)
                : Evaluator.decide(new EvaluationContext(
                        trade,
                        null,
                        ips,
                        SampleValues.portfolio("30000/55000/15000"),
                        null,
                        KeyPolicy.NO_CAPS,
                        used,
                        now));
        return DecisionPayload.draft(new DecisionRecord(
                kind, index, key, trade, null, null, null, used, decision, List.of(), List.of(), List.of(), said, id));
    }

    @Nullable
    public String tell(EventDraft draft) {
        return recomputed(next(draft));
    }

    /** The same row with one member of the payload changed. */
    @Nullable
    public String tell(EventDraft draft, String name, @Nullable Object value) {
        Map<String, @Nullable Object> members = new HashMap<>(draft.payload());
        members.put(name, value);
        return tell(new EventDraft(draft.kind(), members));
    }

    /** Adds an erased row. */
    @Nullable
    public String erased(EventDraft draft) {
        return recomputed(EmergencyVectors.erased(next(draft)));
    }

    private PolicyEvent next(EventDraft draft) {
        UUID id = new UUID(0x7000L, 0x8000_0000_0000_0000L + head.seq());
        PolicyEvent row =
                EventChain.next(head, draft, id, TestChain.SALT, now, TestKey.ONE.keyId(), message -> "A".repeat(86));
        head = ChainHead.after(row);
        return row;
    }

    private @Nullable String recomputed(PolicyEvent row) {
        return recomputation.row(row).map(Recomputation.Difference::what).orElse(null);
    }
}
