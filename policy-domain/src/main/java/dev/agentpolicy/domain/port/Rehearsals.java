package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.compare.PolicyTests;

/** What users keep to rehearse policies: their tests. Decides nothing about agents. Methods block. */
public interface Rehearsals {

    /** The tests of a user; none before the first ones. */
    PolicyTests tests(UserId user);

    /** Replaces the tests of a user. Durable on return. */
    void replaceTests(UserId user, PolicyTests tests);
}
