package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.KeyJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.owner.IssueKeys;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** Answers calls about the keys of a user's agents. */
final class KeyEndpoints {
    private static final int CREATED = 201;

    private final IssueKeys issueKeys;
    private final ReadState readState;

    KeyEndpoints(IssueKeys issueKeys, ReadState readState) {
        this.issueKeys = issueKeys;
        this.readState = readState;
    }

    void mint(AppCall call) {
        Body.read(
                call.ctx(),
                KeyRequest::read,
                request -> call.answer(CREATED, issueKeys.mint(call.user(), request), KeyJson::issued),
                call::refuse);
    }

    void list(AppCall call) {
        List<AgentKey> keys = issueKeys.list(call.user());
        call.answer(out ->
                out.array("keys", keys, (each, key) -> KeyJson.inUse(each, key, readState.used(call.user(), key))));
    }

    void rotate(AppCall call) {
        withId(call, id -> call.answer(200, issueKeys.rotate(call.user(), id), KeyJson::issued));
    }

    void revoke(AppCall call) {
        withId(call, id -> call.answer(200, issueKeys.revoke(call.user(), id), KeyJson::write));
    }

    /** Runs work on the id of the key that the path names. */
    static void withId(AppCall call, Consumer<AgentKeyId> work) {
        UUID id = Query.asUuid(call.ctx().pathParam("id"));
        if (id == null) {
            call.refuse(ErrorResponse.of(ErrorCode.NOT_FOUND, "There is no working key with this id."));
        } else {
            work.accept(new AgentKeyId(id));
        }
    }
}
