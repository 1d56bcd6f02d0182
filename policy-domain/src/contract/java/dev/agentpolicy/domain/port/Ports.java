package dev.agentpolicy.domain.port;

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

    SessionWatch sessionWatch();

    Devices devices();

    AccountRemoval accountRemoval();

    PasskeyChallenges passkeyChallenges();

    MailTokens mailTokens();
}
