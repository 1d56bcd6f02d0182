package dev.agentpolicy.domain.port;

/** The contracts of all ports that one store keeps together. */
public interface EveryPortContract
        extends AccountsContract,
                AccountReaderContract,
                EventLogContract,
                LongChainContract,
                AgentKeysContract,
                RequestQueueContract,
                UsersContract,
                SessionsContract,
                DevicesContract {}
