package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.Credential;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.NetworkRange;
import dev.agentpolicy.domain.agent.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The contract of {@link AgentKeys}. */
public interface AgentKeysContract extends StoreContract {

    @Test
    default void a_key_is_found_by_the_hash_of_its_credential() {
        AgentKey key = mint(StoreSamples.user());
        mint(key.userId());

        assertThat(found(key.credentialHash())).contains(key);
        assertThat(ports().agentKeys().recall(key.credentialHash())).contains(key);
        assertThat(ports().agentKeys().recall(key.credentialHash())).contains(key);
        assertThat(found(StoreSamples.hash())).isEmpty();
        assertThat(ports().agentKeys().recall(StoreSamples.hash())).isEmpty();
    }

    @Test
    default void a_key_without_caps_scopes_or_expiry_is_stored_unchanged() {
        UserId user = StoreSamples.user();
        AgentKey full = StoreSamples.key(user);
        AgentKey bare = new AgentKey(
                full.id(),
                user,
                "x",
                KeyType.TEST,
                Set.of(),
                KeyPolicy.NO_CAPS,
                full.credentialHash(),
                "beef",
                full.createdAt(),
                null,
                null,
                null,
                List.of(),
                null);
        record(user, account -> new Recording().key(bare));

        assertThat(found(bare.credentialHash())).contains(bare);
    }

    @Test
    default void a_revoked_key_is_found_as_revoked() {
        AgentKey key = mint(StoreSamples.user());
        ports().agentKeys().recall(key.credentialHash());
        AgentKey revoked = key.revoked(StoreSamples.START);
        record(key.userId(), account -> new Recording().key(revoked));

        assertThat(found(key.credentialHash())).contains(revoked);
        assertThat(ports().agentKeys().recall(key.credentialHash())).contains(revoked);
        assertThat(ports().accountReader().view(key.userId()).keys()).containsValue(revoked);
    }

    @Test
    default void after_a_rotation_only_the_new_credential_finds_the_key() {
        AgentKey key = mint(StoreSamples.user());
        ports().agentKeys().recall(key.credentialHash());
        byte[] random = new byte[32];
        ThreadLocalRandom.current().nextBytes(random);
        AgentKey rotated = key.rotated(Credential.of(KeyType.LIVE, random), StoreSamples.START);
        record(key.userId(), account -> new Recording().key(rotated));

        assertThat(found(key.credentialHash())).isEmpty();
        assertThat(ports().agentKeys().recall(key.credentialHash())).isEmpty();
        assertThat(found(rotated.credentialHash())).contains(rotated);
    }

    @Test
    default void a_changed_key_is_stored_with_its_networks_and_its_pause() {
        AgentKey key = mint(StoreSamples.user());
        AgentKey changed = key.with(
                "Other",
                KeyPolicy.NO_CAPS.withPaused(true),
                List.of(NetworkRange.of("10.0.0.0/8"), NetworkRange.of("2001:db8::/32")));
        record(key.userId(), account -> new Recording().key(changed));

        assertThat(found(key.credentialHash())).contains(changed);
        assertThat(ports().accountReader().view(key.userId()).keys()).containsValue(changed);
    }

    @Test
    default void while_secrets_overlap_both_find_the_key_as_presented_by_them() {
        AgentKey key = mint(StoreSamples.user());
        byte[] random = new byte[32];
        ThreadLocalRandom.current().nextBytes(random);
        AgentKey rotated = key.rotated(Credential.of(KeyType.LIVE, random), Duration.ofHours(1), StoreSamples.START);
        record(key.userId(), account -> new Recording().key(rotated));

        assertThat(found(rotated.credentialHash())).contains(rotated);
        assertThat(found(key.credentialHash())).contains(rotated.presentedBy(key.credentialHash()));
        assertThat(ports().agentKeys().recall(key.credentialHash()))
                .contains(rotated.presentedBy(key.credentialHash()));
        assertThat(found(rotated.credentialHash())).contains(rotated);
    }

    private Optional<AgentKey> found(String credentialHash) {
        return ports().agentKeys().find(credentialHash).toCompletableFuture().join();
    }
}
