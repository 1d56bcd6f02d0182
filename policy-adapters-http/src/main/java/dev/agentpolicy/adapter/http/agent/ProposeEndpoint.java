package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.DecisionJson;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.request.ProposalBody;
import org.jspecify.annotations.Nullable;

/** Answers proposals, once for each Idempotency-Key (specification, Behaviour rules 4 and 5). */
final class ProposeEndpoint {
    private ProposeEndpoint() {}

    static void propose(AgentCall call) {
        String once = call.form().idempotencyKey(call.ctx());
        call.read(
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
                        proposed -> call.answer(proposed.receipt(), out -> DecisionJson.write(out, proposed)),
                        call::refuse));
    }
}
