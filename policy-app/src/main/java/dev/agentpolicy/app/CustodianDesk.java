package dev.agentpolicy.app;

import dev.agentpolicy.adapter.custodian.AlpacaCustodian;
import dev.agentpolicy.adapter.custodian.AlpacaEndpoints;
import dev.agentpolicy.adapter.custodian.AlpacaTransport;
import dev.agentpolicy.adapter.custodian.RetryPolicy;
import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.custodian.CustodianRouter;
import dev.agentpolicy.app.custodian.GuardedCustodian;
import dev.agentpolicy.app.custodian.PaperCustodian;
import dev.agentpolicy.app.guard.GuardedClock;
import dev.agentpolicy.domain.port.CustodianCredentials;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.SyncSchedule;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.custodian.ObservePortfolio;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncTimes;
import dev.agentpolicy.domain.usecase.upkeep.SyncDueCustodians;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;

/** The use cases over custodians. They share one way to the custodians, which is closed while the clock is not trusted. */
record CustodianDesk(
        SyncCustodian sync,
        ExecuteOrders orders,
        ConnectCustodian connect,
        ObservePortfolio observe,
        ReadReconciliation reconciliation,
        SyncDueCustodians due) {

    /**
     * Opens no connection yet.
     *
     * @param live the ports of users' accounts
     * @param limits what a user may write in a day
     * @param credentials the credentials of connected custodians
     * @param workers runs what blocks on the books of paper custodians
     */
    static CustodianDesk open(
            Config.Custodians config,
            JdbcStore store,
            DeskPorts live,
            OwnerLimits limits,
            CustodianCredentials credentials,
            Executor workers,
            GuardedClock clock,
            RandomSource random) {
        AlpacaCustodian alpaca = new AlpacaCustodian(endpoints(config, clock), credentials, clock);
        PaperCustodian paper = new PaperCustodian(store.paperBooks(), workers, clock);
        CustodianRouter router = new CustodianRouter(Map.of(CustodianKind.PAPER, paper, CustodianKind.ALPACA, alpaca));
        GuardedCustodian custodian = new GuardedCustodian(router, paper, clock::stop);
        SyncTimes times = new SyncTimes(config.syncInterval(), config.snapshotMaxAge());
        SyncSchedule schedule = store.syncSchedule();
        SyncCustodian sync = new SyncCustodian(live.accounts(), custodian, schedule, times);
        return new CustodianDesk(
                sync,
                new ExecuteOrders(live.accounts(), live.requests(), custodian, sync, clock),
                new ConnectCustodian(live.accounts(), live.reader(), alpaca, credentials, custodian, sync),
                new ObservePortfolio(
                        live.accounts(), live.reader(), custodian, custodian, sync, store.fillLog(), random, limits),
                new ReadReconciliation(live.requests(), store.fillLog()),
                new SyncDueCustodians(
                        live.accounts(),
                        schedule,
                        credentials,
                        sync,
                        times,
                        random.uuid(),
                        clock,
                        bound -> ThreadLocalRandom.current().nextLong(bound)));
    }

    private static AlpacaEndpoints endpoints(Config.Custodians config, InstantSource clock) {
        Optional<AlpacaTransport> live = config.alpacaLiveAccounts() == Config.Switch.ON
                ? Optional.of(alpaca(config.alpacaLive(), clock))
                : Optional.empty();
        return new AlpacaEndpoints(alpaca(config.alpacaPaper(), clock), live);
    }

    private static AlpacaTransport alpaca(URI address, InstantSource clock) {
        return new AlpacaTransport(address, RetryPolicy.DEFAULT, clock);
    }
}
