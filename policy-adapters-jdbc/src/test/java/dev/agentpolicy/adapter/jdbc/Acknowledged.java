package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.agent.UserId;
import java.util.List;

/**
 * A request of which a caller was told when so many writes had been done to the file.
 *
 * @param isAccepted whether that it was accepted, or that it waits
 */
record Acknowledged(int writes, UserId user, long request, boolean isAccepted) {

    /** What had been told before a moment; later that it was told before everything. */
    static List<Acknowledged> until(List<Acknowledged> all, int moment) {
        return all.stream()
                .filter(told -> told.writes() <= moment)
                .map(told -> new Acknowledged(0, told.user(), told.request(), told.isAccepted()))
                .toList();
    }
}
