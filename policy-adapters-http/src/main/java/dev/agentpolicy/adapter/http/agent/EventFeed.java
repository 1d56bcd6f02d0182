package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.EventsJson;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Order;
import dev.agentpolicy.domain.usecase.agent.ReadEvents;
import dev.agentpolicy.domain.usecase.agent.ReadEvents.Pages;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;

/** The signed chain, page by page (specification, Behaviour rule 6). */
public final class EventFeed {

    private EventFeed() {}

    static void ofAgent(AgentCall call, FairShare share) {
        Context ctx = call.ctx();
        ReadEvents events = call.desk().readEvents();
        UserId account = call.caller().account();
        EventQuery query = query(Query.of(ctx));
        Reply.onServerThread(
                ctx,
                events.begin(account, query),
                pages -> share.read(
                        ctx,
                        account,
                        () -> EventsJson.bytes(pages.get()),
                        json -> Reply.blocking(ctx, json),
                        call::refuse));
    }

    public static void answer(Context ctx, ReadEvents events, UserId account) {
        answer(ctx, events.read(account, query(Query.of(ctx))));
    }

    private static void answer(Context ctx, Pages pages) {
        Reply.blocking(ctx, EventsJson.bytes(pages));
    }

    private static EventQuery query(Query query) {
        int limit = query.integer("limit", EventQuery.MIN_LIMIT, EventQuery.MAX_LIMIT, EventQuery.DEFAULT_LIMIT);
        Order order = query.parameter(
                        "order",
                        "must be asc or desc",
                        name -> Order.named(name).orElse(null))
                .orElse(Order.ASC);
        Optional<EventKind> kind = query.parameter(
                "eventType",
                "must be a known kind of event",
                name -> EventKind.named(name).orElse(null));
        Optional<Instant> since = query.instant("since").map(EventFeed::roundedUp);
        EventQuery first = new EventQuery(limit, order, kind, since, OptionalLong.empty());
        return query.parameter(
                        "cursor",
                        "must be the nextCursor of a page of the same query",
                        cursor -> first.after(cursor).orElse(null))
                .orElse(first);
    }

    /** The first microsecond not before a moment, as nothing in the log is finer. */
    private static Instant roundedUp(Instant since) {
        Instant micro = since.truncatedTo(ChronoUnit.MICROS);
        return micro.equals(since) ? since : micro.plus(1, ChronoUnit.MICROS);
    }
}
