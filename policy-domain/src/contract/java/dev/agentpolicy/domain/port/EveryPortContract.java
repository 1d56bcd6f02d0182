package dev.agentpolicy.domain.port;

/** The contracts of all ports that one store implements together. */
public interface EveryPortContract
        extends AccountsContract,
                AccountReaderContract,
                EventLogContract,
                ErasuresContract,
                LongChainContract,
                AgentKeysContract,
                RequestQueueContract,
                FillLogContract,
                DailyCallsContract,
                UsersContract,
                SessionsContract,
                WatchedSessionsContract,
                DevicesContract,
                PushDevicesContract,
                AccountRemovalContract,
                PasskeyChallengesContract,
                BrokerAccountsContract,
                ConnectionStoreContract,
                RehearsalsContract,
                MailTokensContract {}
