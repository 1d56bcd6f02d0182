package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.AuditJson;
import dev.agentpolicy.adapter.http.wire.CsvWriter;
import dev.agentpolicy.adapter.http.wire.Downloads;
import dev.agentpolicy.adapter.http.wire.Downloads.FileHead;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RequestHeaders;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.page.ActivityQuery;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.request.ReadActivity;
import dev.agentpolicy.domain.usecase.request.ReadActivity.ActivityEntry;
import dev.agentpolicy.domain.usecase.request.ReadActivity.ActivityPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers with every event in words (docs/reference/activity.md). */
record ActivityEndpoints(ReadActivity readActivity, FairShare share, Downloads downloads, InstantSource clock) {
    void read(AppCall call) {
        Query query = call.query();
        int limit = query.integer("limit", 1, ActivityQuery.MAX_LIMIT, ActivityQuery.DEFAULT_LIMIT);
        Long before = RequestEndpoints.before(query);
        ActivityQuery asked = query(query);
        if (isCsv(call, query)) {
            SessionGate.refuseViewers(call);
            csv(call, asked);
        } else {
            share.run(call.ctx(), call.user(), () -> {
                ActivityPage page = readActivity.page(call.user(), asked, before, limit);
                call.answer(out -> AuditJson.write(out, page));
            });
        }
    }

    private void csv(AppCall call, ActivityQuery query) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        FileHead head = new FileHead("activity-" + today + ".csv", "text/csv");
        downloads.send(call.ctx(), call.user(), head, out -> {
            CsvWriter csv = new CsvWriter(out);
            csv.row(COLUMNS.stream().<@Nullable String>map(Column::name).toList());
            readActivity.each(call.user(), query, entry -> row(csv, entry));
        });
    }

    /** A column of the table; its cell is empty where an event has no such value. */
    private record Column(String name, Function<ActivityEntry, @Nullable Object> value) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("seq", entry -> entry.facts().row().seq()),
            new Column("createdAt", entry -> Instants.format(entry.facts().row().createdAt())),
            new Column("eventType", entry -> entry.facts().row().kind().wireName()),
            new Column("text", ActivityEntry::text),
            new Column("kind", entry -> word(entry.facts().call(), DecisionRecord.Kind::auditName)),
            new Column("actor", entry -> word(entry.facts().actor(), DecisionRecord.Actor::wireName)),
            new Column("agentKeyId", ActivityEntry::agentKeyId),
            new Column("agentName", ActivityEntry::agentName),
            new Column("action", entry -> word(entry.facts().action(), Action::wireName)),
            new Column("symbol", entry -> entry.facts().symbol()),
            new Column("assetType", entry -> word(entry.facts().assetType(), AssetType::wireName)),
            new Column("amountUsd", entry -> entry.facts().amount()),
            new Column("allowed", entry -> entry.facts().allowed()),
            new Column(
                    "rules", entry -> entry.facts().rules().map(Rule::wireName).collect(Collectors.joining(" "))),
            new Column("ipsVersion", entry -> entry.facts().ipsVersion()),
            new Column("serviceRequestId", entry -> entry.facts().serviceRequestId()),
            new Column(
                    "status",
                    entry -> word(entry.request(), request -> request.status().wireName())),
            new Column("eventId", entry -> entry.facts().row().eventId()),
            new Column("hash", entry -> entry.facts().row().hash()),
            new Column("quantity", entry -> number(entry.facts().quantity())),
            new Column("price", entry -> number(entry.facts().price())),
            new Column("limitPrice", entry -> number(entry.facts().limitPrice())),
            new Column("limit", entry -> number(entry.facts().limit())),
            new Column("actual", entry -> number(entry.facts().actual())),
            new Column("zone", entry -> "UTC"));

    private static @Nullable String number(@Nullable BigDecimal value) {
        return value == null ? null : Decimals.text(value);
    }

    private static void row(CsvWriter csv, ActivityEntry entry) {
        try {
            csv.row(COLUMNS.stream()
                    .map(column -> word(column.value.apply(entry), Object::toString))
                    .collect(Collectors.toList()));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static <E> @Nullable String word(@Nullable E value, Function<E, String> text) {
        return value == null ? null : text.apply(value);
    }

    private static boolean isCsv(AppCall call, Query query) {
        String format = query.parameter(
                        "format",
                        "must be csv or json",
                        text -> List.of("csv", "json").contains(text) ? text : null)
                .orElse("");
        return format.equals("csv") || format.isEmpty() && RequestHeaders.prefers(call.ctx(), "text/csv");
    }

    private static ActivityQuery query(Query query) {
        return new ActivityQuery(
                query.parameter("kinds", "must be known kinds of events, separated by commas", ActivityEndpoints::kinds)
                        .orElse(Set.of()),
                query.uuid("agentKeyId").map(AgentKeyId::new),
                query.parameter("symbol", AssetSymbol.EXPECTED, AssetSymbol::of),
                query.parameter("rule", "must be the name of a rule", ActivityEndpoints::rule),
                query.truth("allowed"),
                query.parameter(
                        "text",
                        "must have 1 to " + ActivityQuery.MAX_TEXT + " characters",
                        text -> text.codePointCount(0, text.length()) <= ActivityQuery.MAX_TEXT ? text : null),
                query.instant("from"),
                query.instant("to"));
    }

    @SuppressWarnings("StringSplitter") // An empty name is no kind.
    private static @Nullable Set<EventKind> kinds(String names) {
        Set<EventKind> kinds = EnumSet.noneOf(EventKind.class);
        for (String name : names.split(",", -1)) {
            EventKind kind = EventKind.named(name).orElse(null);
            if (kind == null) {
                return null;
            }
            kinds.add(kind);
        }
        return kinds;
    }

    private static @Nullable Rule rule(String name) {
        return Stream.of(Rule.values())
                .filter(rule -> rule.wireName().equals(name))
                .findFirst()
                .orElse(null);
    }
}
