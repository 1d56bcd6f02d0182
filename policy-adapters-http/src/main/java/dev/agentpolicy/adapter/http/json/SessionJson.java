package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.port.signin.Sessions.StoredSession;
import dev.agentpolicy.domain.usecase.signin.ManageSessions.OpenSession;

/** The session of a user on the wire, without its token or the hash of it. */
public final class SessionJson {
    private SessionJson() {}

    public static void write(JsonWriter out, OpenSession open) {
        StoredSession session = open.session();
        out.text("id", session.id().toString())
                .instant("createdAt", session.createdAt())
                .instant("lastUsedAt", session.lastUsedAt())
                .text("address", session.origin().address())
                .text("agent", session.origin().agent())
                .truth("isThis", open.isThis());
    }
}
