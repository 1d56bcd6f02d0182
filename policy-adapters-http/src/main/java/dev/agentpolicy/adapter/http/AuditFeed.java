package dev.agentpolicy.adapter.http;

import dev.agentpolicy.adapter.http.json.AuditJson;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.AuditQuery;
import dev.agentpolicy.domain.usecase.ReadAudit;
import io.javalin.http.Context;
import java.time.temporal.ChronoUnit;

/** Recent decisions, newest first (specification, audit). */
final class AuditFeed {

    private AuditFeed() {}

    static void ofAgent(AgentCall call) {
        answer(call.ctx(), call.desk().readAudit(), call.caller().account());
    }

    static void answer(Context ctx, ReadAudit audit, UserId account) {
        Reply.bytes(ctx, 200, AuditJson.bytes(audit.read(account, query(Query.of(ctx)))));
    }

    /** What is strictly after a moment is after its microsecond too, as nothing in the log is finer. */
    private static AuditQuery query(Query query) {
        int limit = query.integer("limit", 1, AuditQuery.MAX_LIMIT, AuditQuery.DEFAULT_LIMIT);
        return new AuditQuery(
                limit,
                query.uuid("agentKeyId").map(AgentKeyId::new).orElse(null),
                query.truth("allowed").orElse(null),
                query.instant("since")
                        .map(since -> since.truncatedTo(ChronoUnit.MICROS))
                        .orElse(null));
    }
}
