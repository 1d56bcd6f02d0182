package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.AuditJson;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.RequestDispatch;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.usecase.agent.ReadAudit;
import io.javalin.http.Context;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Answers with recent decisions, newest first (docs/reference/agent-api.md, audit). */
public final class AuditFeed {

    private AuditFeed() {}

    static void ofAgent(AgentCall call, FairShare share) {
        Context ctx = call.ctx();
        ReadAudit audit = call.useCases().readAudit();
        UserId account = call.caller().account();
        AuditQuery query = query(call.query());
        if (query.isFiltered()) {
            RequestDispatch.blocking(
                    ctx,
                    () -> share.run(
                            ctx,
                            account,
                            () -> call.answer(AuditJson.bytes(audit.read(account, query))),
                            call::refuse));
        } else {
            Reply.onServerThread(
                    ctx,
                    audit.latest(account, query.limit()),
                    decisions -> share.run(
                            ctx,
                            account,
                            () -> call.answer(AuditJson.bytes(audit.entries(account, decisions))),
                            call::refuse));
        }
    }

    public static void answer(Context ctx, ReadAudit audit, UserId account) {
        Reply.bytes(ctx, 200, AuditJson.bytes(audit.read(account, query(Query.of(ctx)))));
    }

    /** Reads the query. Times in the log have microseconds, so {@code since} is truncated to them. */
    private static AuditQuery query(Query query) {
        int limit = query.integer("limit", 1, AuditQuery.MAX_LIMIT, AuditQuery.DEFAULT_LIMIT);
        return new AuditQuery(
                limit,
                query.uuid("agentKeyId").map(AgentKeyId::new).orElse(null),
                query.truth("allowed").orElse(null),
                query.instant("since")
                        .map(since -> since.truncatedTo(ChronoUnit.MICROS))
                        .orElse(null),
                query.parameter("before", "must be a whole number from 1", AuditFeed::seq)
                        .orElse(null));
    }

    private static @Nullable Long seq(String text) {
        Long seq = Query.asNumber(text);
        return seq == null || seq < 1 ? null : seq;
    }
}
