package dev.agentpolicy.app;

import dev.agentpolicy.adapter.custodian.AlpacaCustodian;
import dev.agentpolicy.adapter.custodian.AlpacaEndpoints;
import dev.agentpolicy.adapter.custodian.AlpacaTransport;
import dev.agentpolicy.adapter.custodian.RetryPolicy;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.custodian.CustodianRouter;
import dev.agentpolicy.app.guard.GuardedClock;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.port.CustodianCredentials;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.SyncSchedule;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.custodian.ObservePortfolio;
import dev.agentpolicy.domain.usecase.custodian.PaperCustodian;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncTimes;
import dev.agentpolicy.domain.usecase.upkeep.SyncDueCustodians;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The use cases over custodians. They share one way to the custodians, which is closed while the clock is not trusted. */
record CustodianDesk(
        SyncCustodian sync,
        ExecuteOrders orders,
        ConnectCustodian connect,
        ObservePortfolio observe,
        ReadReconciliation reconciliation,
        SyncDueCustodians due) {
    private static final Logger LOG = LoggerFactory.getLogger(CustodianDesk.class);

    /**
     * Opens no connection yet.
     *
     * @param live the ports of users' accounts
     * @param limits what a user may write in a day
     * @param credentials the credentials of connected custodians
     * @param threads ask several custodians at the same time
     */
    static CustodianDesk open(
            Config.Custodians config,
            JdbcStore store,
            DeskPorts live,
            OwnerLimits limits,
            CustodianCredentials credentials,
            Executor threads,
            Metrics metrics,
            GuardedClock clock,
            RandomSource random) {
        AlpacaCustodian alpaca = new AlpacaCustodian(endpoints(config, clock), credentials, clock);
        PaperCustodian paper = new PaperCustodian(store.paperBooks(), clock);
        CustodianRouter custodian = new CustodianRouter(
                Map.of(CustodianKind.PAPER, paper, CustodianKind.ALPACA, alpaca), paper, clock::stop);
        FanOut fanOut = new FanOut(threads);
        Set<String> told = ConcurrentHashMap.newKeySet();
        BiConsumer<CustodianRef, RuntimeException> failures =
                (custodianOf, failed) -> failed(metrics, told, custodianOf, failed);
        SyncTimes times = new SyncTimes(config.syncInterval(), config.snapshotMaxAge());
        SyncSchedule schedule = store.syncSchedule();
        SyncCustodian sync =
                new SyncCustodian(live.accounts(), custodian, store.brokerAccounts(), schedule, times, fanOut);
        return new CustodianDesk(
                sync,
                new ExecuteOrders(live.accounts(), live.requests(), custodian, sync, fanOut, failures, clock),
                new ConnectCustodian(
                        live.accounts(), live.reader(), alpaca, store.brokerAccounts(), credentials, custodian, sync),
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
                        bound -> ThreadLocalRandom.current().nextLong(bound),
                        fanOut,
                        failures));
    }

    /**
     * Reports work with a custodian that failed while nobody waited for its result. It is done again later, so a bug is
     * logged once for the place in the code where it is, and counted each time.
     */
    private static void failed(Metrics metrics, Set<String> told, CustodianRef custodian, RuntimeException cause) {
        boolean isBug = !(cause instanceof Unavailable);
        metrics.custodianFailed(isBug ? "error" : "unavailable");
        StackTraceElement[] trace = cause.getStackTrace();
        boolean isNew = isBug && told.add(cause.getClass() + (trace.length == 0 ? "" : " at " + trace[0]));
        LOG.atLevel(isNew ? Level.WARN : Level.DEBUG)
                .setCause(cause)
                .log("Custodian {} of user {} could not be served", custodian.custodian(), custodian.user());
    }

    private static AlpacaEndpoints endpoints(Config.Custodians config, InstantSource clock) {
        Optional<AlpacaTransport> live = config.alpacaLiveAccounts() == Config.Switch.ON
                ? Optional.of(alpaca(config.alpacaLive(), clock))
                : Optional.empty();
        return new AlpacaEndpoints(alpaca(config.alpacaPaper(), clock), live, alpaca(config.alpacaData(), clock));
    }

    private static AlpacaTransport alpaca(URI address, InstantSource clock) {
        return new AlpacaTransport(address, RetryPolicy.DEFAULT, clock);
    }
}
