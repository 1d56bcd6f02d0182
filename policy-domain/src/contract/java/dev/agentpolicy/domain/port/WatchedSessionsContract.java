package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.AccountVersions;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Sessions.WatchedSession;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract of {@link Sessions#watch}. */
public interface WatchedSessionsContract extends StoreContract {

    @Test
    default void each_part_of_an_account_has_a_version_of_its_own() {
        UserId user = StoreSamples.user();
        String token = opened(user);
        AccountVersions before = versions(token);
        assertThat(before).isEqualTo(AccountVersions.NONE);

        AgentKey key = mint(user);
        AccountVersions afterKey = versions(token);
        assertThat(afterKey.keys()).isGreaterThan(before.keys());
        assertThat(afterKey).isEqualTo(new AccountVersions(0, 0, 0, afterKey.keys(), 0));

        record(user, account -> new Recording().ips(new IpsVersion(1, StoreSamples.ips("0.05"), StoreSamples.START)));
        AccountVersions afterPolicy = versions(token);
        assertThat(afterPolicy).isEqualTo(new AccountVersions(0, 0, 1, afterKey.keys(), 0));

        record(user, account -> new Recording().portfolio(StoreSamples.portfolio(1, "1", account.now())));
        AccountVersions afterPortfolio = versions(token);
        assertThat(afterPortfolio.portfolio()).isPositive();
        CustodianConnections connected =
                CustodianConnections.NONE.with(StoreSamples.connection("broker", StoreSamples.START));
        record(user, account -> new Recording().connections(connected));
        AccountVersions afterConnection = versions(token);
        assertThat(afterConnection.portfolio()).isGreaterThan(afterPortfolio.portfolio());

        Pending request = record(user, key.id());
        AccountVersions afterRequest = versions(token);
        assertThat(afterRequest)
                .isEqualTo(new AccountVersions(
                        afterRequest.requests(), afterConnection.portfolio(), 1, afterKey.keys(), 0));
        assertThat(afterRequest.requests()).isPositive();
        record(user, account -> new Recording().request(request.rejected("Not now", StoreSamples.START)));
        assertThat(versions(token).requests()).isGreaterThan(afterRequest.requests());
    }

    @Test
    default void a_policy_that_waits_or_is_cancelled_changes_the_version_of_the_policy() {
        UserId user = StoreSamples.user();
        String token = opened(user);
        ScheduledIps waiting = new ScheduledIps(
                StoreSamples.ips("0.05"),
                true,
                List.of(),
                StoreSamples.START,
                StoreSamples.START.plusSeconds(60),
                null);

        protect(user, ChangeProtection.NONE.withDelay(1, StoreSamples.START));
        assertThat(versions(token).policy()).isZero();
        protect(user, ChangeProtection.NONE.scheduling(waiting));
        protect(user, ChangeProtection.NONE.scheduling(waiting).confirming(true));
        assertThat(versions(token)).isEqualTo(new AccountVersions(0, 0, 1, 0, 0));
        protect(user, ChangeProtection.NONE.unscheduled());
        assertThat(versions(token)).isEqualTo(new AccountVersions(0, 0, 2, 0, 0));
    }

    private void protect(UserId user, ChangeProtection protection) {
        record(user, account -> new Recording().passkeys(account.passkeys().protectedBy(protection)));
    }

    @Test
    default void what_the_user_is_done_with_changes_the_version_of_the_inbox() {
        User user = new User(
                StoreSamples.user(), "ben." + StoreSamples.user().value() + "@example.org", "hash", StoreSamples.START);
        ports().users().add(user);
        String token = opened(user.id());

        ports().users().addDoneItem(user.id(), "one", Set.of());

        assertThat(versions(token)).isEqualTo(new AccountVersions(0, 0, 0, 0, 1));
        assertThat(versions(token).inbox()).isOne();
    }

    @Test
    default void decisions_alone_change_no_version() {
        UserId user = StoreSamples.user();
        AgentKey key = mint(user);
        String token = opened(user);
        AccountVersions before = versions(token);

        decide(user, key.id(), true);
        decide(user, key.id(), false);

        assertThat(versions(token)).isEqualTo(before);
    }

    @Test
    default void sessions_are_read_together_and_those_that_do_not_exist_are_left_out() {
        UserId one = StoreSamples.user();
        UserId other = StoreSamples.user();
        mint(other);
        String ofOne = opened(one);
        String ofOther = opened(other);
        String closed = opened(other);
        ports().sessions().close(closed);

        Map<String, WatchedSession> read =
                ports().sessions().watch(List.of(ofOne, ofOther, closed, StoreSamples.hash()));

        assertThat(read).containsOnlyKeys(ofOne, ofOther);
        assertThat(Objects.requireNonNull(read.get(ofOther)).session())
                .isEqualTo(ports().sessions().find(ofOther).orElseThrow());
        assertThat(Objects.requireNonNull(read.get(ofOne)).versions()).isEqualTo(AccountVersions.NONE);
        assertThat(Objects.requireNonNull(read.get(ofOther)).versions().keys()).isPositive();
        assertThat(ports().sessions().watch(List.of())).isEmpty();
    }

    private String opened(UserId user) {
        String token = StoreSamples.hash();
        ports().sessions()
                .open(token, StoreSamples.session(user, StoreSamples.START, StoreSamples.START.plusSeconds(60)));
        return token;
    }

    private Pending record(UserId user, AgentKeyId key) {
        return answer(ports().accounts().change(user, StoreSamples.change(account -> {
            Pending pending = Pending.of(StoreSamples.proposal(
                    account.requestIds().getAsLong(),
                    user,
                    key,
                    account.now(),
                    account.now().plusSeconds(60)));
            return new Recording().request(pending).answer(receipts -> pending);
        })));
    }

    private AccountVersions versions(String token) {
        return Objects.requireNonNull(ports().sessions().watch(List.of(token)).get(token))
                .versions();
    }
}
