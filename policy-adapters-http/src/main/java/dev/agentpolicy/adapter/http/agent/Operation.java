package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.route.Access;
import java.util.function.Consumer;

/**
 * One thing that agents can ask for, whatever the form in which they do.
 *
 * @param access what the calling key needs
 * @param work answers or refuses an admitted call, now or later
 */
public record Operation(Access access, Consumer<AgentCall> work) {}
