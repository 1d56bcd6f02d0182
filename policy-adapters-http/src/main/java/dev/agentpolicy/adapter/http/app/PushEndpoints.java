package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.UserJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.domain.usecase.signin.ManagePush;
import dev.agentpolicy.domain.usecase.signin.ManagePush.PushRequest;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * Answers calls about the devices on which a user is told of requests (docs/reference/notices.md).
 *
 * @param lookups looks up the names of push services, which may be slow
 */
record PushEndpoints(ManagePush devices, Executor lookups) {
    private static final int OK = 200;
    private static final int CREATED = 201;

    void read(AppCall call) {
        call.answer(
                OK,
                devices.read(call.user()),
                (out, pushing) -> out.text("key", pushing.key()).array("devices", pushing.devices(), UserJson::device));
    }

    void add(AppCall call) {
        PushRequest asked = Body.read(call.ctx(), PushRequest::read);
        call.answer(CREATED, lookups, () -> devices.add(call.user(), asked), UserJson::device);
    }

    void remove(AppCall call) {
        UUID id = Query.asUuid(call.ctx().pathParam("id"));
        if (id == null) {
            throw new RejectedRequest(ErrorResponse.of(ErrorCode.NOT_FOUND, "You have no device with this id."));
        }
        call.answerNothing(devices.remove(call.user(), id));
    }
}
