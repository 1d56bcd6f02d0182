package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.HomeJson;
import dev.agentpolicy.domain.usecase.policy.ReadHome;
import dev.agentpolicy.domain.usecase.policy.ReadHome.Home;

/** Answers with how the user's account stands. */
final class HomeEndpoint {
    private final ReadHome readHome;

    HomeEndpoint(ReadHome readHome) {
        this.readHome = readHome;
    }

    void read(AppCall call) {
        Home home = readHome.read(call.user());
        call.answer(out -> HomeJson.write(out, home));
    }
}
