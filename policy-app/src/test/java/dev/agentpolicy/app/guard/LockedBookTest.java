package dev.agentpolicy.app.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.app.security.SecureRandomSource;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.PaperMarket;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.custodian.ObservePortfolio;
import dev.agentpolicy.domain.usecase.custodian.PaperCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncTimes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Only calls that replace a locked paper book wait for it. */
class LockedBookTest {
    private static final InstantSource CLOCK = InstantSource.system();

    @Test
    void a_locked_book_delays_no_other_answer() throws Exception {
        String url = TestPostgres.freshDatabase();
        RandomSource random = new SecureRandomSource();
        UserId user = new UserId(UUID.randomUUID());
        try (WorkerPool asking = new WorkerPool("custodian", 20);
                JdbcStore store = JdbcStore.open(DatabaseConfig.of(url, null, null, CLOCK, random))) {
            JdkSigner signer = new JdkSigner();
            store.sealedKeys().storePublic(signer.key());
            Accounts accounts = store.accounts(signer);
            ObservePortfolio portfolio = portfolio(accounts, store, asking);
            portfolio.observe(user, setup());
            String lock = "BEGIN; SELECT * FROM paper_book WHERE user_id = '" + user.value() + "' FOR UPDATE;"
                    + " SELECT pg_sleep(5); COMMIT";
            CompletableFuture<Void> holder = CompletableFuture.runAsync(() -> TestPostgres.execute(url, lock));
            Thread.sleep(500);
            List<CompletableFuture<?>> waiting = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                waiting.add(CompletableFuture.runAsync(() -> portfolio.observe(user, setup()), asking));
                Thread.sleep(100);
            }

            assertThat(accounts.change(new UserId(UUID.randomUUID()), account -> Outcome.nothing(true)))
                    .succeedsWithin(Duration.ofSeconds(1));
            assertThat(waiting).allSatisfy(it -> assertThat(it).isNotDone());
            holder.join();
        }
    }

    private static ObservePortfolio portfolio(Accounts accounts, JdbcStore store, WorkerPool asking) {
        PaperCustodian paper = new PaperCustodian(store.paperBooks(), CLOCK);
        SyncTimes times = new SyncTimes(Duration.ofMinutes(1), Duration.ofMinutes(15));
        SyncCustodian sync = new SyncCustodian(
                accounts, paper, store.brokerAccounts(), store.syncSchedule(), times, new FanOut(asking));
        return new ObservePortfolio(
                accounts,
                store.accountReader(),
                paper,
                paper,
                sync,
                store.fillLog(),
                new SecureRandomSource(),
                OwnerLimits.NONE);
    }

    private static PaperSetup setup() {
        CustodianHoldings holdings = new CustodianHoldings(
                "paper", "Paper", CustodianHoldings.CustodianKind.PAPER, CLOCK.instant(), 0, Usd.of(1000), List.of());
        return new PaperSetup(holdings, Map.of(), PaperMarket.OPEN);
    }
}
