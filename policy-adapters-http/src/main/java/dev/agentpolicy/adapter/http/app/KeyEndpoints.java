package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.KeyJson;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyChange;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** Answers calls about the keys of a user's agents. */
record KeyEndpoints(IssueKeys issueKeys, ReadState readState) {
    private static final int CREATED = 201;

    void mint(AppCall call) {
        call.read(
                KeyRequest::read,
                request -> call.answer(CREATED, issueKeys.mint(call.user(), request), KeyJson::issued));
    }

    void list(AppCall call) {
        List<AgentKey> keys = issueKeys.list(call.user());
        call.answer(out ->
                out.array("keys", keys, (each, key) -> KeyJson.inUse(each, key, readState.used(call.user(), key))));
    }

    void change(AppCall call) {
        withId(
                call,
                id -> call.read(
                        KeyChange::read,
                        change -> call.answer(200, issueKeys.change(call.user(), id, change), KeyJson::write)));
    }

    void rotate(AppCall call) {
        withId(
                call,
                id -> call.readOptional(
                        KeyEndpoints::overlap,
                        overlap -> call.answer(200, issueKeys.rotate(call.user(), id, overlap), KeyJson::issued)));
    }

    private static Reading<Duration> overlap(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Integer minutes = fields.integer("overlapMinutes", 0, Math.toIntExact(IssueKeys.MAX_OVERLAP.toMinutes()));
        return fields.finish(() -> Duration.ofMinutes(minutes == null ? 0 : minutes));
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
