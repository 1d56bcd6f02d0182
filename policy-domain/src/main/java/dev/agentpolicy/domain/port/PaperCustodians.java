package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.PaperSetup;

/** Sets up paper custodians, whose holdings and prices the user gives. Methods block. */
public interface PaperCustodians {

    /** Replaces what a paper custodian holds, or creates it. Open orders stay open. Durable on return. */
    void replace(UserId user, PaperSetup setup);

    /** Deletes a paper custodian. False when there was none. */
    boolean delete(UserId user, String custodian);
}
