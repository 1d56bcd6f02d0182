package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader.KeyStanding;
import dev.agentpolicy.domain.port.AccountReader.Standing;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Usd;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every reader of accounts does. */
public interface AccountReaderContract extends StoreContract {

    @Test
    default void nobody_stands_with_nothing() {
        UserId user = Samples.user();

        assertThat(ports().accountReader().standing(user))
                .isEqualTo(new Standing(ChainHead.genesis(user), null, null, Map.of()));
        assertThat(ports().accountReader().tally(user, new AgentKeyId(UUID.randomUUID())))
                .isEqualTo(Tally.NONE);
        assertThat(ports().accountReader().ipsVersions(user)).isEmpty();
        assertThat(ports().accountReader().portfolioHistory(user, Instant.EPOCH))
                .isEmpty();
    }

    @Test
    default void an_account_stands_as_the_last_change_left_it() {
        UserId user = Samples.user();
        AgentKey key = mint(user);
        IpsVersion first = ips(user, 1, "0.05");
        IpsVersion second = ips(user, 2, "0.06");
        Portfolio portfolio = Samples.portfolio(1, "99.99", Samples.START);
        record(user, account -> new Recording().portfolio(portfolio));
        decide(user, key.id(), true);

        Standing standing = ports().accountReader().standing(user);
        assertThat(standing.head()).isEqualTo(ports().eventLog().head(user));
        assertThat(standing.head().seq()).isEqualTo(1);
        assertThat(standing.ips()).isEqualTo(second);
        assertThat(standing.portfolio()).isEqualTo(portfolio);
        assertThat(standing.keys()).isEqualTo(Map.of(key.id(), key));
        assertThat(ports().accountReader().ipsVersions(user)).containsExactly(second, first);
        assertThat(ports().accountReader().ipsVersion(user, 1)).contains(first);
        assertThat(ports().accountReader().ipsVersion(user, 3)).isEmpty();
    }

    @Test
    default void a_key_stands_beside_its_account() {
        UserId user = Samples.user();
        AgentKey key = mint(user);
        Standing before = ports().accountReader().standing(user);
        Tally tally = Tally.NONE.at(Samples.START).plusCall().plusUsd(Usd.of("7.50"));

        assertThat(seen(user, key)).isEqualTo(new KeyStanding(key, before.ips(), before.portfolio(), Tally.NONE));
        record(user, account -> new Recording().tally(key.id(), tally));
        assertThat(seen(user, key)).isEqualTo(new KeyStanding(key, before.ips(), before.portfolio(), tally));
        AgentKey other = mint(user);
        assertThat(seen(user, other)).isEqualTo(new KeyStanding(other, before.ips(), before.portfolio(), Tally.NONE));
        AgentKey revoked = key.revoked(Samples.START);
        record(user, account -> new Recording().key(revoked));
        assertThat(seen(user, key)).isEqualTo(new KeyStanding(revoked, before.ips(), before.portfolio(), tally));
    }

    @Test
    default void a_key_has_no_standing_in_an_account_that_is_not_its_own() {
        AgentKey key = mint(Samples.user());
        UserId other = mint(Samples.user()).userId();

        assertThat(seen(other, key)).isEqualTo(new KeyStanding(null, null, null, Tally.NONE));
        assertThat(seen(Samples.user(), key)).isEqualTo(new KeyStanding(null, null, null, Tally.NONE));
    }

    @Test
    default void history_is_the_last_portfolio_of_each_day_oldest_first() {
        UserId user = Samples.user();
        Instant monday = Instant.parse("2026-11-16T23:59:59.999999Z");
        Portfolio early = portfolio(user, 1, monday.minus(Duration.ofHours(3)));
        Portfolio late = portfolio(user, 2, monday);
        Portfolio tuesday = portfolio(user, 3, monday.plusNanos(1_000));
        Portfolio friday = portfolio(user, 4, monday.plus(Duration.ofDays(4)));

        AccountReader reader = ports().accountReader();
        assertThat(reader.portfolioHistory(user, early.asOf())).containsExactly(late, tuesday, friday);
        assertThat(reader.portfolioHistory(user, monday.plusNanos(1_000))).containsExactly(tuesday, friday);
        assertThat(reader.portfolioHistory(user, monday.plus(Duration.ofDays(1))))
                .containsExactly(friday);
        assertThat(reader.portfolioHistory(user, monday.plus(Duration.ofDays(5))))
                .isEmpty();
    }

    private IpsVersion ips(UserId user, int version, String cashFloor) {
        IpsVersion ips = new IpsVersion(version, Samples.ips(cashFloor), Samples.START);
        record(user, account -> new Recording().ips(ips));
        return ips;
    }

    private Portfolio portfolio(UserId user, long revision, Instant asOf) {
        Portfolio portfolio = Samples.portfolio(revision, "10", asOf);
        record(user, account -> new Recording().portfolio(portfolio));
        return portfolio;
    }

    private KeyStanding seen(UserId user, AgentKey key) {
        return ports().accountReader().standing(user, key).toCompletableFuture().join();
    }
}
