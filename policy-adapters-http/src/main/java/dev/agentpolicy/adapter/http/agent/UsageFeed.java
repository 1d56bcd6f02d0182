package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.UsageJson;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usecase.agent.ReadUsage;
import io.javalin.http.Context;

/** Answers with a summary of the calls of a user's agents (specification, usage). */
public final class UsageFeed {

    private UsageFeed() {}

    static void ofAgent(AgentCall call, ReadUsage usage, FairShare share) {
        UserId user = call.caller().key().userId();
        share.run(call.ctx(), user, () -> answer(call.ctx(), usage, user), call::refuse);
    }

    public static void answer(Context ctx, ReadUsage usage, UserId user) {
        int days = Query.of(ctx).integer("days", 1, UsageReport.MAX_DAYS, UsageReport.DEFAULT_DAYS);
        UsageReport report = usage.report(user, days);
        Reply.object(ctx, 200, out -> UsageJson.write(out, report));
    }
}
