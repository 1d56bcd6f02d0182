package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentpolicy.adapter.signing.RootKey;
import dev.agentpolicy.adapter.signing.UnusableKeys;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.port.StoreSamples;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How all chains of a database go on when the event key was stolen (docs/reference/events.md, Rotation). */
class StolenKeyHandoverTest extends HandoverBench {
    @Test
    void after_a_theft_a_root_key_vouches_for_the_new_key_and_the_stolen_one_signs_nothing_more() throws Exception {
        Node node = node(url("H2"));
        UserId busy = StoreSamples.user();
        UserId idle = StoreSamples.user();
        AgentKey key = node.mint(busy);
        node.decide(busy, key.id(), true);
        node.decide(idle, node.mint(idle).id(), true);
        String stolen = node.signsWith();
        Path rootFile = folder.resolve("root.json");
        SigningKey root = RootKey.create(rootFile, clock.instant());
        Instant since = clock.instant();
        clock.advance(NOTICE);

        assertThatExceptionOfType(UnusableKeys.class)
                .isThrownBy(() -> node.ring().replaceCompromised(since, RootKey.read(rootFile), clock.instant()))
                .withMessageContaining("is not in the manifest");
        node.store().sealedKeys().storePublic(root);
        SigningKey next = node.ring().replaceCompromised(since, RootKey.read(rootFile), clock.instant());
        assertThat(node.verdict(idle, stolen).isIntact())
                .describedAs("nothing vouches for its row yet")
                .isFalse();
        node.decide(busy, key.id(), true);
        sweep(node);

        assertThat(node.signsWith()).isEqualTo(next.kid());
        assertThat(node.chain(busy))
                .extracting(PolicyEvent::signingKeyId)
                .containsExactly(stolen, next.kid(), next.kid());
        assertThat(node.chain(busy).get(1).payload()).contains("\"reason\":\"compromise\"", "\"trustedThroughSeq\":1");
        assertThat(node.verdict(busy, stolen).isIntact()).isTrue();
        assertThat(node.verdict(idle, stolen).isIntact()).isTrue();
        assertThat(statuses(node)).containsExactlyInAnyOrder(KeyStatus.REVOKED, KeyStatus.ACTIVE);
    }

    @Test
    void a_key_that_waits_is_revoked_with_the_stolen_one_that_vouched_for_it() {
        Node node = node(url("PostgreSQL"));
        UserId user = StoreSamples.user();
        AgentKey key = node.mint(user);
        node.decide(user, key.id(), true);
        String stolen = node.signsWith();
        SigningKey waits = node.ring().prepareNext(clock.instant().plus(NOTICE));
        Path rootFile = folder.resolve("root.json");
        node.store().sealedKeys().storePublic(RootKey.create(rootFile, clock.instant()));

        SigningKey next = node.ring().replaceCompromised(clock.instant(), RootKey.read(rootFile), clock.instant());
        clock.advance(NOTICE.plusSeconds(1));
        node.decide(user, key.id(), true);

        assertThat(node.signsWith()).isEqualTo(next.kid()).isNotEqualTo(waits.kid());
        assertThat(statuses(node)).containsExactlyInAnyOrder(KeyStatus.REVOKED, KeyStatus.REVOKED, KeyStatus.ACTIVE);
        assertThat(node.store().sealedKeys().all())
                .filteredOn(SigningKey::isCompromised)
                .extracting(SigningKey::kid)
                .containsExactlyInAnyOrder(stolen, waits.kid());
        assertThat(node.verdict(user, stolen).isIntact()).isTrue();
    }
}
