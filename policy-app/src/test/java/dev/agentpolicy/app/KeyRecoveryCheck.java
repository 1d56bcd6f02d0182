package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.NumberedCall.Kind;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Keys: a secret works exactly until a later row of its key. */
final class KeyRecoveryCheck implements RecoveryCheck {
    private static final Duration RATE_LIMIT_PAUSE = Duration.ofMillis(100);

    private final ChangeHistory log;
    private final Set<String> over = new HashSet<>();

    KeyRecoveryCheck(ChangeHistory log) {
        this.log = log;
    }

    /** Revokes in the end what still works, as there may be only so many keys. */
    @Override
    public void hold(ProposalClient queue, Collection<NumberedCall> asked) {
        asked.stream()
                .filter(call -> call.kind() == Kind.MINT || call.kind() == Kind.ROTATE)
                .filter(NumberedCall::isAcknowledged)
                .forEach(call -> worksAsTheLogSays(queue, call));
        log.keys().forEach((id, last) -> {
            if (!ChangeHistory.isRevoked(last) && NumberedBodies.isName(name(last))) {
                queue.household().user().delete(APP + "keys/" + id).ok();
            }
        });
    }

    @Override
    public void close(ProposalClient queue) {
        over.forEach(secret -> assertThat(statusOf(queue, secret)).isEqualTo(401));
        Map<String, JsonNode> listed = new HashMap<>();
        queue.household()
                .user()
                .get(APP + "keys")
                .ok()
                .json()
                .get("keys")
                .forEach(key -> listed.put(key.get("agentKeyId").textValue(), key));
        assertThat(listed.keySet()).isEqualTo(log.keys().keySet());
        log.keys().forEach((id, last) -> {
            JsonNode key = listed.get(id);
            assertThat(key.get("name").textValue()).isEqualTo(name(last));
            assertThat(key.get("last4")).isEqualTo(last.get("payload").get("last4"));
            assertThat(key.get("revokedAt").isNull()).describedAs("%s", key).isEqualTo(!ChangeHistory.isRevoked(last));
        });
    }

    private void worksAsTheLogSays(ProposalClient queue, NumberedCall call) {
        JsonNode issued = call.answer().orElseThrow().json();
        String secret = issued.get("key").textValue();
        JsonNode last = log.keys().get(issued.get("agentKeyId").textValue());
        assertThat(name(last)).isEqualTo(NumberedBodies.name(call.number()));
        boolean isLatest = ChangeHistory.type(last).equals(call.kind().inTheLog());
        assertThat(statusOf(queue, secret))
                .describedAs("%s, then %s", call, last)
                .isEqualTo(isLatest ? 200 : 401);
        over.add(secret);
    }

    /** Asks again while the budget of callers without a valid key is used up: many secrets are tried one after another. */
    private static int statusOf(ProposalClient queue, String secret) {
        ApiCaller caller = new ApiCaller(queue.agent().address()).withKey(secret);
        int status = caller.get(API + "whoami").status();
        while (status == 429) {
            LockSupport.parkNanos(RATE_LIMIT_PAUSE.toNanos());
            status = caller.get(API + "whoami").status();
        }
        return status;
    }

    private static String name(JsonNode row) {
        return row.get("payload").get("name").textValue();
    }
}
