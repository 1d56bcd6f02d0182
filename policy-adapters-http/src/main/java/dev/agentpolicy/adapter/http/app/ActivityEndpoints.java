package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.AuditJson;
import dev.agentpolicy.adapter.http.wire.AcceptHeader;
import dev.agentpolicy.adapter.http.wire.Downloads;
import dev.agentpolicy.adapter.http.wire.Downloads.FileHead;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.page.ActivityQuery;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.usecase.request.ReadActivity;
import dev.agentpolicy.domain.usecase.request.ReadActivity.ActivityPage;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers with every event in words (docs/reference/activity.md). */
final class ActivityEndpoints {
    private static final FileHead CSV = new FileHead("activity.csv", "text/csv");

    private final ReadActivity readActivity;
    private final FairShare share;
    private final Downloads downloads;

    ActivityEndpoints(ReadActivity readActivity, FairShare share, Downloads downloads) {
        this.readActivity = readActivity;
        this.share = share;
        this.downloads = downloads;
    }

    void read(AppCall call, String session) {
        Query query = Query.of(call.ctx());
        int limit = query.integer("limit", 1, ActivityQuery.MAX_LIMIT, ActivityQuery.DEFAULT_LIMIT);
        Long before = RequestEndpoints.before(query);
        ActivityQuery asked = query(query);
        if (isCsv(call, query)) {
            csv(call, asked);
        } else {
            share.run(
                    call.ctx(),
                    call.user(),
                    () -> {
                        ActivityPage page = readActivity.page(call.user(), asked, before, limit);
                        call.answer(out -> AuditJson.write(out, page));
                    },
                    call::refuse);
        }
    }

    private void csv(AppCall call, ActivityQuery query) {
        downloads.send(
                call.ctx(),
                call.user(),
                CSV,
                out -> {
                    ActivityCsv csv = new ActivityCsv(out);
                    readActivity.each(call.user(), query, csv::row);
                },
                call::refuse);
    }

    private static boolean isCsv(AppCall call, Query query) {
        String format = query.parameter(
                        "format",
                        "must be csv or json",
                        text -> List.of("csv", "json").contains(text) ? text : null)
                .orElse("");
        return format.equals("csv") || format.isEmpty() && AcceptHeader.isFirst(call.ctx(), "text/csv");
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
