package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.wire.CsvWriter;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.EventFacts;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.request.ReadActivity.ActivityEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes events in words as comma-separated values, one row each (docs/reference/activity.md). */
final class ActivityCsv {
    private static final List<@Nullable String> HEADER = List.of(
            "seq",
            "createdAt",
            "eventType",
            "text",
            "kind",
            "actor",
            "agentKeyId",
            "agentName",
            "action",
            "symbol",
            "assetType",
            "amountUsd",
            "allowed",
            "rules",
            "ipsVersion",
            "serviceRequestId",
            "status",
            "eventId",
            "hash");

    private final CsvWriter out;

    /** Writes the header. */
    ActivityCsv(Writer out) throws IOException {
        this.out = new CsvWriter(out);
        this.out.row(HEADER);
    }

    void row(ActivityEntry entry) {
        EventFacts facts = entry.facts();
        ScannedRow row = facts.row();
        AgentKeyId agent = entry.agentKeyId();
        Usd amount = facts.amount();
        String rules = facts.rules().map(Rule::wireName).collect(Collectors.joining(" "));
        try {
            out.row(Arrays.asList(
                    Long.toString(row.seq()),
                    Instants.format(row.createdAt()),
                    row.kind().wireName(),
                    entry.text(),
                    word(facts.call(), DecisionRecord.Kind::auditName),
                    word(facts.actor(), DecisionRecord.Actor::wireName),
                    agent == null ? null : agent.toString(),
                    entry.agentName(),
                    word(facts.action(), Action::wireName),
                    facts.symbol(),
                    word(facts.assetType(), AssetType::wireName),
                    amount == null ? null : amount.toString(),
                    word(facts.allowed(), allowed -> Boolean.toString(allowed)),
                    rules,
                    word(facts.ipsVersion(), version -> Integer.toString(version)),
                    word(facts.serviceRequestId(), id -> Long.toString(id)),
                    word(entry.request(), request -> request.status().wireName()),
                    row.eventId().toString(),
                    row.hash()));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static <E> @Nullable String word(@Nullable E value, Function<E, String> text) {
        return value == null ? null : text.apply(value);
    }
}
