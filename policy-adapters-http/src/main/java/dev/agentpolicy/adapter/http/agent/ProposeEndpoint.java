package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.ProposalJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.ProposalBody;
import io.javalin.http.Context;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers proposals, once for each Idempotency-Key (specification, Behaviour rules 4 and 5). */
final class ProposeEndpoint {
    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private ProposeEndpoint() {}

    static void propose(AgentCall call) {
        String once = idempotencyKey(call.ctx());
        Body.read(
                call.ctx(),
                ProposalBody::read,
                asked -> propose(call, asked, once),
                wrong -> call.refuse(wrong.denying("proposed")));
    }

    private static void propose(AgentCall call, ProposalBody asked, @Nullable String once) {
        Reply.onServerThread(
                call.ctx(),
                call.useCases().proposeTrade().propose(call.caller(), asked, once),
                answer -> Reply.either(
                        answer,
                        proposed -> call.answer(proposed.receipt(), out -> ProposalJson.write(out, proposed)),
                        call::refuse));
    }

    private static @Nullable String idempotencyKey(Context ctx) {
        List<String> sent = Collections.list(ctx.req().getHeaders(IDEMPOTENCY_KEY));
        if (sent.isEmpty()) {
            return null;
        }
        String key = sent.get(0);
        if (sent.size() > 1 || key.isEmpty() || key.length() > IdempotencyKey.MAX_LENGTH) {
            throw RejectedRequest.parameter(IDEMPOTENCY_KEY, "must be one header of 1 to 128 characters");
        }
        return key;
    }
}
