package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.PaperSetup;
import java.util.concurrent.CompletionStage;

/** Sets up paper custodians, whose holdings and prices the user gives. Methods do not block. */
public interface PaperCustodians {

    /** Replaces what a paper custodian holds, or creates it. Open orders stay open. Durable on completion. */
    CompletionStage<Boolean> replace(UserId user, PaperSetup setup);

    /** Deletes a paper custodian. Completes with false when there was none. */
    CompletionStage<Boolean> delete(UserId user, String custodian);
}
