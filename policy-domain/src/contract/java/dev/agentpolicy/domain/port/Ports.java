package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.port.signin.Devices;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges;
import dev.agentpolicy.domain.port.signin.PushDevices;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Users;

/** The ports of one store. */
public interface Ports {
    Accounts accounts();

    AccountReader accountReader();

    EventLog eventLog();

    Erasures erasures();

    AgentKeys agentKeys();

    RequestQueue requestQueue();

    FillLog fillLog();

    DailyCalls dailyCalls();

    Users users();

    Sessions sessions();

    Devices devices();

    PushDevices pushDevices();

    AccountRemoval accountRemoval();

    PasskeyChallenges passkeyChallenges();

    MailTokens mailTokens();

    BrokerAccounts brokerAccounts();

    ConnectionStore connections();

    Rehearsals rehearsals();
}
