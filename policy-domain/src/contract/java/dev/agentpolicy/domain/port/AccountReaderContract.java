package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.ListedIpsVersion;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.AccountReader.KeyView;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import dev.agentpolicy.domain.quantity.Usd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of {@link AccountReader}. */
public interface AccountReaderContract extends StoreContract {

    @Test
    default void an_unknown_user_has_an_empty_account() {
        UserId user = StoreSamples.user();

        assertThat(ports().accountReader().view(user))
                .isEqualTo(new AccountView(
                        ChainHead.genesis(user),
                        null,
                        null,
                        CustodianConnections.NONE,
                        OwnerPasskeys.NONE,
                        FlowCounts.NONE,
                        Map.of()));
        assertThat(ports().accountReader().tally(user, new AgentKeyId(UUID.randomUUID())))
                .isEqualTo(Tally.NONE);
        assertThat(ports().accountReader().ipsVersions(user, Integer.MAX_VALUE, 10))
                .isEmpty();
        assertThat(ports().accountReader().listedIpsVersions(user, Integer.MAX_VALUE, 10))
                .isEmpty();
        assertThat(ports().accountReader().portfolioHistory(user, Instant.EPOCH))
                .isEmpty();
    }

    @Test
    default void an_account_is_read_as_the_last_change_left_it() {
        UserId user = StoreSamples.user();
        AgentKey key = mint(user);
        IpsVersion first = ips(user, 1, "0.05");
        IpsVersion second = ips(user, 2, "0.06");
        Portfolio portfolio = StoreSamples.portfolio(1, "99.99", StoreSamples.START);
        record(user, account -> new Recording().portfolio(portfolio));
        decide(user, key.id(), true);

        AccountView standing = ports().accountReader().view(user);
        assertThat(standing.head()).isEqualTo(ports().eventLog().head(user));
        assertThat(standing.head().seq()).isEqualTo(1);
        assertThat(standing.ips()).isEqualTo(second);
        assertThat(standing.portfolio()).isEqualTo(portfolio);
        assertThat(standing.keys()).isEqualTo(Map.of(key.id(), key));
        assertThat(ports().accountReader().ipsVersions(user, Integer.MAX_VALUE, 10))
                .containsExactly(second, first);
        assertThat(ports().accountReader().ipsVersion(user, 1)).contains(first);
        assertThat(ports().accountReader().ipsVersion(user, 3)).isEmpty();
    }

    @Test
    default void versions_of_the_policy_are_read_in_pages_with_and_without_documents() {
        UserId user = StoreSamples.user();
        List<IpsVersion> newestFirst = new ArrayList<>();
        for (int version = 1; version <= 7; version++) {
            newestFirst.add(0, ips(user, version, "0.0" + version));
        }
        ips(StoreSamples.user(), 1, "0.08");

        AccountReader reader = ports().accountReader();
        assertThat(reader.ipsVersions(user, Integer.MAX_VALUE, 3)).isEqualTo(newestFirst.subList(0, 3));
        assertThat(reader.ipsVersions(user, 5, 3)).isEqualTo(newestFirst.subList(3, 6));
        assertThat(reader.ipsVersions(user, 2, 3)).isEqualTo(newestFirst.subList(6, 7));
        assertThat(reader.ipsVersions(user, 1, 3)).isEmpty();
        assertThat(reader.listedIpsVersions(user, 5, 3))
                .isEqualTo(newestFirst.subList(3, 6).stream()
                        .map(ListedIpsVersion::of)
                        .toList());
    }

    @Test
    default void a_key_is_read_together_with_its_account() {
        UserId user = StoreSamples.user();
        AgentKey key = mint(user);
        AccountView before = ports().accountReader().view(user);
        Tally tally = Tally.NONE.at(StoreSamples.START).plusCall().plusUsd(Usd.of("7.50"));

        assertThat(seen(user, key))
                .isEqualTo(new KeyView(
                        key, before.ips(), before.portfolio(), before.connections(), Tally.NONE, FlowCounts.NONE));
        record(user, account -> new Recording().tally(key.id(), tally));
        assertThat(seen(user, key))
                .isEqualTo(new KeyView(
                        key, before.ips(), before.portfolio(), before.connections(), tally, FlowCounts.NONE));
        AgentKey other = mint(user);
        assertThat(seen(user, other))
                .isEqualTo(new KeyView(
                        other, before.ips(), before.portfolio(), before.connections(), Tally.NONE, FlowCounts.NONE));
        CustodianConnections connected =
                CustodianConnections.NONE.with(StoreSamples.connection("broker", StoreSamples.START));
        record(user, account -> new Recording().connections(connected));
        decide(user, key.id(), true);
        decide(user, key.id(), true);
        assertThat(seen(user, key).connections()).isEqualTo(connected);
        record(user, account -> new Recording().connections(CustodianConnections.NONE));
        AgentKey revoked = key.revoked(StoreSamples.START);
        record(user, account -> new Recording().key(revoked));
        assertThat(seen(user, key))
                .isEqualTo(new KeyView(
                        revoked, before.ips(), before.portfolio(), before.connections(), tally, FlowCounts.NONE));
    }

    @Test
    default void a_key_is_not_found_in_the_account_of_another_user() {
        AgentKey key = mint(StoreSamples.user());
        UserId other = mint(StoreSamples.user()).userId();

        assertThat(seen(other, key))
                .isEqualTo(new KeyView(null, null, null, CustodianConnections.NONE, Tally.NONE, FlowCounts.NONE));
        assertThat(seen(StoreSamples.user(), key))
                .isEqualTo(new KeyView(null, null, null, CustodianConnections.NONE, Tally.NONE, FlowCounts.NONE));
    }

    @Test
    default void users_whose_policy_is_due_are_found_until_it_does_not_wait_any_more() {
        Instant now = StoreSamples.START;
        UserId later = scheduling(now.plusSeconds(1));
        UserId second = scheduling(now);
        UserId first = scheduling(now.minusSeconds(1));
        AccountReader reader = ports().accountReader();
        List<UserId> mine = List.of(first, second, later);

        assertThat(reader.dueSchedules(now, 1_000)).filteredOn(mine::contains).containsExactly(first, second);
        assertThat(reader.dueSchedules(now, 1)).hasSize(1);
        ports().accounts()
                .changeAndWait(
                        first,
                        account -> new Recording()
                                .passkeys(account.passkeys()
                                        .protectedBy(
                                                account.passkeys().protection().unscheduled()))
                                .answer(receipts -> true));
        assertThat(reader.dueSchedules(now, 1_000)).filteredOn(mine::contains).containsExactly(second);
        assertThat(reader.view(second).passkeys().protection().scheduled().effectiveAt())
                .isEqualTo(now);
    }

    private UserId scheduling(Instant effectiveAt) {
        UserId user = StoreSamples.user();
        ScheduledIps scheduled =
                new ScheduledIps(StoreSamples.ips("0.05"), true, List.of(), StoreSamples.START, effectiveAt, null);
        ports().accounts()
                .changeAndWait(
                        user,
                        account -> new Recording()
                                .passkeys(OwnerPasskeys.NONE.protectedBy(ChangeProtection.NONE.scheduling(scheduled)))
                                .answer(receipts -> true));
        return user;
    }

    @Test
    default void the_history_has_the_last_portfolio_of_each_day_oldest_first() {
        UserId user = StoreSamples.user();
        Instant monday = Instant.parse("2026-11-16T23:59:59.999999Z");
        Portfolio early = portfolio(user, 1, monday.minus(Duration.ofHours(3)));
        Portfolio late = portfolio(user, 2, monday);
        Portfolio tuesday = portfolio(user, 3, monday.plusNanos(1_000));
        Portfolio friday = portfolio(user, 4, monday.plus(Duration.ofDays(4)));

        AccountReader reader = ports().accountReader();
        assertThat(reader.portfolioHistory(user, early.asOf())).containsExactly(day(late), day(tuesday), day(friday));
        assertThat(reader.portfolioHistory(user, monday.plusNanos(1_000))).containsExactly(day(tuesday), day(friday));
        assertThat(reader.portfolioHistory(user, monday.plus(Duration.ofDays(1))))
                .containsExactly(day(friday));
        assertThat(reader.portfolioHistory(user, monday.plus(Duration.ofDays(5))))
                .isEmpty();
    }

    private static PortfolioDay day(Portfolio last) {
        return PortfolioDay.of(last);
    }

    @Test
    default void the_portfolio_of_a_past_time_is_found() {
        UserId user = StoreSamples.user();
        Instant monday = Instant.parse("2026-11-16T00:00:00Z");
        AccountReader reader = ports().accountReader();
        assertThat(reader.portfolioAt(user, monday)).isEmpty();

        Portfolio first = portfolio(user, 1, monday);
        Portfolio second = portfolio(user, 2, monday.plusSeconds(10));
        Portfolio third = portfolio(user, 3, monday.plusSeconds(10));
        Portfolio fourth = portfolio(user, 4, monday.plusSeconds(20));

        assertThat(reader.portfolioAt(user, monday.minusNanos(1_000))).isEmpty();
        assertThat(reader.portfolioAt(user, monday)).contains(first);
        assertThat(reader.portfolioAt(user, monday.plusSeconds(9))).contains(first);
        assertThat(reader.portfolioAt(user, second.asOf())).contains(third);
        assertThat(reader.portfolioAt(user, monday.plusSeconds(19))).contains(third);
        assertThat(reader.portfolioAt(user, monday.plusSeconds(500))).contains(fourth);
    }

    private IpsVersion ips(UserId user, int version, String cashFloor) {
        IpsVersion ips = new IpsVersion(version, StoreSamples.ips(cashFloor), StoreSamples.START);
        record(user, account -> new Recording().ips(ips));
        return ips;
    }

    private Portfolio portfolio(UserId user, long revision, Instant asOf) {
        Portfolio portfolio = StoreSamples.portfolio(revision, "10", asOf);
        record(user, account -> new Recording().portfolio(portfolio));
        return portfolio;
    }

    private KeyView seen(UserId user, AgentKey key) {
        return ports().accountReader().view(user, key).toCompletableFuture().join();
    }
}
