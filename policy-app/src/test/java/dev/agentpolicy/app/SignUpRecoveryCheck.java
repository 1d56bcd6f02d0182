package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.NumberedCall.Kind;
import java.util.Collection;

/** Sign-ups: an address has at most one account, whose password works; every acknowledged account exists. */
final class SignUpRecoveryCheck implements RecoveryCheck {
    private int unheard;

    /** Number of accounts that exist without a confirmed sign-up. */
    int unheard() {
        return unheard;
    }

    @Override
    public void hold(ProposalClient queue, Collection<NumberedCall> asked) {
        ApiCaller stranger = new ApiCaller(queue.agent().address());
        asked.stream().filter(call -> call.kind() == Kind.SIGN_UP).forEach(call -> {
            String login = NumberedBodies.login(call.number());
            Seen again = stranger.post(APP + "users", login);
            assertThat(again.status()).describedAs("%s: %s", call, again).isIn(call.isAcknowledged() ? 409 : 201, 409);
            unheard += !call.isAcknowledged() && again.status() == 409 ? 1 : 0;
            Seen session = stranger.post(APP + "session", login);
            assertThat(session.status()).describedAs("%s: %s", call, session).isEqualTo(200);
            if (call.isAcknowledged()) {
                isTheSame(call.answer().orElseThrow(), session);
            } else if (again.status() == 201) {
                isTheSame(again, session);
            }
        });
    }

    @Override
    public void close(ProposalClient queue) {
        // Everybody was asked for when they were new.
    }

    private static void isTheSame(Seen signedUp, Seen session) {
        JsonNode userId = signedUp.json().get("userId");
        assertThat(session.json().get("userId")).isEqualTo(userId);
    }
}
