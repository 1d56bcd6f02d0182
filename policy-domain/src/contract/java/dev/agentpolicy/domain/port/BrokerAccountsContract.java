package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link BrokerAccounts}. */
public interface BrokerAccountsContract extends StoreContract {

    @Test
    default void an_account_belongs_to_the_user_who_claimed_it_first() {
        BrokerAccount account = newAccount();
        UserId first = StoreSamples.user();
        UserId second = StoreSamples.user();

        assertThat(ports().brokerAccounts().claim(first, account)).isTrue();
        assertThat(ports().brokerAccounts().claim(first, account)).isTrue();
        assertThat(ports().brokerAccounts().claim(second, account)).isFalse();
        assertThat(ports().brokerAccounts().claim(second, newAccount())).isTrue();
        assertThat(ports().brokerAccounts().claim(first, account)).isTrue();
    }

    @Test
    default void of_users_who_claim_an_account_at_once_one_has_it() {
        BrokerAccount account = newAccount();
        AtomicInteger claimed = new AtomicInteger();

        IntStream.range(0, 8).parallel().forEach(i -> {
            if (ports().brokerAccounts().claim(StoreSamples.user(), account)) {
                claimed.incrementAndGet();
            }
        });

        assertThat(claimed).hasValue(1);
    }

    @Test
    default void what_a_user_does_not_keep_is_free() {
        BrokerAccount kept = newAccount();
        BrokerAccount left = newAccount();
        UserId first = StoreSamples.user();
        UserId second = StoreSamples.user();
        ports().brokerAccounts().claim(first, kept);
        ports().brokerAccounts().claim(first, left);

        ports().brokerAccounts().keepOnly(first, List.of(kept));

        assertThat(ports().brokerAccounts().claim(second, left)).isTrue();
        assertThat(ports().brokerAccounts().claim(second, kept)).isFalse();
        ports().brokerAccounts().keepOnly(first, List.of());
        assertThat(ports().brokerAccounts().claim(second, kept)).isTrue();
        ports().brokerAccounts().keepOnly(first, List.of());
        assertThat(ports().brokerAccounts().claim(first, kept)).isFalse();
    }

    @Test
    default void the_account_of_a_removed_user_is_free() {
        BrokerAccount account = newAccount();
        UserId user = StoreSamples.user();
        ports().brokerAccounts().claim(user, account);

        ports().accountRemoval().remove(user);

        assertThat(ports().brokerAccounts().claim(StoreSamples.user(), account)).isTrue();
    }

    private static BrokerAccount newAccount() {
        return new BrokerAccount(CustodianKind.ALPACA, UUID.randomUUID().toString());
    }
}
