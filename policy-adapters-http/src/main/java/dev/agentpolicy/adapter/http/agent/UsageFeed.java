package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.KeyJson;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.RequestDispatch;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usecase.agent.ReadUsage;
import io.javalin.http.Context;

/** Answers with a summary of the calls of a user's agents (specification, usage). */
public final class UsageFeed {

    private UsageFeed() {}

    static void ofAgent(AgentCall call, ReadUsage usage, FairShare share) {
        UserId user = call.caller().key().userId();
        int days = days(call.query());
        RequestDispatch.blocking(
                call.ctx(),
                () -> share.run(call.ctx(), user, () -> call.answer(json(usage.report(user, days))), call::refuse));
    }

    public static void answer(Context ctx, ReadUsage usage, UserId user) {
        Reply.bytes(ctx, 200, json(usage.report(user, days(Query.of(ctx)))));
    }

    private static int days(Query query) {
        return query.integer("days", 1, UsageReport.MAX_DAYS, UsageReport.DEFAULT_DAYS);
    }

    private static byte[] json(UsageReport report) {
        return JsonWriter.object(out -> KeyJson.write(out, report));
    }
}
