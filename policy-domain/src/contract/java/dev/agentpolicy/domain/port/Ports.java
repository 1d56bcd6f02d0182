package dev.agentpolicy.domain.port;

/** The ports of one store. */
public interface Ports {
    Accounts accounts();

    AccountReader accountReader();

    EventLog eventLog();

    AgentKeys agentKeys();

    RequestQueue requestQueue();

    Users users();

    Sessions sessions();

    Devices devices();
}
