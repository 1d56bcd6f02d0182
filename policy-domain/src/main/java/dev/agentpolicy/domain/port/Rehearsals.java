package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.compare.PolicyTests;
import dev.agentpolicy.domain.ips.ShadowIps;
import java.util.Optional;

/** What users keep to rehearse policies: their tests and their shadow. Decides nothing about agents. Methods block. */
public interface Rehearsals {

    /** The tests of a user; none before the first ones. */
    PolicyTests tests(UserId user);

    /** Replaces the tests of a user. Durable on return. */
    void replaceTests(UserId user, PolicyTests tests);

    /** The shadow of a user, if one is set. */
    Optional<ShadowIps> shadow(UserId user);

    /** Replaces the shadow of a user. Durable on return. */
    void replaceShadow(UserId user, ShadowIps shadow);

    /** Removes this shadow; false when it is not the one that is set. Durable on return. */
    boolean removeShadow(UserId user, ShadowIps shadow);
}
