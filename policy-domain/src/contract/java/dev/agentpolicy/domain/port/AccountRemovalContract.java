package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of {@link AccountRemoval}. */
public interface AccountRemovalContract extends StoreContract {

    @Test
    default void a_removed_user_leaves_the_chain_alone_and_the_address_is_free() {
        User user = signedUp();
        User other = signedUp();
        AgentKey key = mint(user.id());
        AgentKey ofOther = mint(other.id());
        decide(user.id(), key.id(), true);
        decide(other.id(), ofOther.id(), true);
        record(
                user.id(),
                account -> new Recording()
                        .ips(new IpsVersion(1, StoreSamples.ips("0.05"), StoreSamples.START))
                        .portfolio(StoreSamples.portfolio(1, "1", account.now()))
                        .tally(key.id(), account.tally(key.id())));
        long request = requested(user.id(), key);
        String session = StoreSamples.hash();
        String device = StoreSamples.hash();
        ports().sessions()
                .open(session, StoreSamples.session(user.id(), StoreSamples.START, StoreSamples.START.plusSeconds(60)));
        ports().devices().remember(device, user.id(), StoreSamples.START, 10);
        List<PolicyEvent> before = chain(user.id());

        ports().accountRemoval().remove(user.id());
        ports().accountRemoval().remove(user.id());

        assertThat(ports().users().byId(user.id())).isEmpty();
        assertThat(ports().sessions().find(session)).isEmpty();
        assertThat(ports().devices().find(device, StoreSamples.START.minusSeconds(1)))
                .isEmpty();
        assertThat(ports().requestQueue().find(user.id(), request)).isEmpty();
        AccountView left = ports().accountReader().view(user.id());
        assertThat(left.ips()).isNull();
        assertThat(left.portfolio()).isNull();
        assertThat(left.keys()).isEmpty();
        assertThat(chain(user.id())).isEqualTo(before);
        assertThat(ports().users().add(new User(StoreSamples.user(), user.email(), "next", StoreSamples.START)))
                .isTrue();
        assertThat(ports().accountReader().view(other.id()).keys()).containsKey(ofOther.id());
        assertThat(ports().users().byId(other.id())).contains(other);
    }

    @Test
    default void the_chain_of_a_removed_user_goes_on_and_its_payloads_are_found_until_they_are_erased() {
        User user = signedUp();
        AgentKey key = mint(user.id());
        decide(user.id(), key.id(), true);
        ports().accountRemoval().remove(user.id());
        assertThat(ports().erasures().ofDeletedAccounts(10_000)).contains(user.id());

        assertThat(ports().erasures().isPermitted()).isTrue();
        JdkSigner signer = new JdkSigner();
        assertThat(new ErasePayloads(ports().eventLog(), ports().erasures(), signer, clock())
                        .eraseAccount(user.id(), "gone"))
                .isInstanceOf(ErasePayloads.Erased.class);

        assertThat(ports().erasures().ofDeletedAccounts(10_000)).doesNotContain(user.id());
        assertThat(chain(user.id())).extracting(PolicyEvent::payload).containsOnlyNulls();
        decide(user.id(), key.id(), false);
        assertThat(chain(user.id()).get(1).prevHash())
                .isEqualTo(chain(user.id()).get(0).hash());
    }

    private User signedUp() {
        UserId id = StoreSamples.user();
        User user = new User(id, "removed." + id + "@example.org", "hash", StoreSamples.START);
        ports().users().add(user);
        return user;
    }

    private long requested(UserId user, AgentKey key) {
        return answer(ports().accounts().change(user, StoreSamples.change(account -> {
            Pending pending = Pending.of(StoreSamples.proposal(
                    account.requestIds().getAsLong(),
                    user,
                    key.id(),
                    account.now(),
                    account.now().plusSeconds(60)));
            return new Recording().request(pending).answer(receipts -> pending.id());
        })));
    }
}
