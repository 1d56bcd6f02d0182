package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.TestJson;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventChainTest {
    private static final EventDraft DRAFT = new EventDraft(EventKind.DRIFT_CLEARED, Map.of("rule", "cash_floor"));
    private static final UUID ID = new UUID(0x019aa5b17b2c7defL, 0x8a11000000000001L);

    @Test
    void a_clock_behind_the_chain_is_ignored() {
        ChainHead head = TestChain.ofDecisions(2).head();

        assertThat(next(head, TestChain.START.minusSeconds(9)).createdAt()).isEqualTo(head.createdAt());
    }

    @Test
    void time_is_cut_to_microseconds() {
        ChainHead head = ChainHead.genesis(TestChain.USER);

        assertThat(next(head, Instant.parse("2026-11-21T09:40:00.123456789Z")).createdAt())
                .isEqualTo(Instant.parse("2026-11-21T09:40:00.123456Z"));
    }

    @Test
    void the_payload_gets_its_salt_and_no_other() {
        ChainHead head = ChainHead.genesis(TestChain.USER);

        assertThat(next(head, TestChain.START).payload())
                .isEqualTo("{\"rule\":\"cash_floor\",\"salt\":\"AAECAwQFBgcICQoLDA0ODw\"}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestChain.ofDecisions(0)
                        .append(new EventDraft(EventKind.DRIFT_CLEARED, Map.of("salt", "mine")), TestKey.ONE));
        for (String salt :
                new String[] {"", "AAECAwQFBgcICQoLDA0OD", "AAECAwQFBgcICQoLDA0ODx", "AAECAwQFBgcICQoLDA0ODw=="}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> EventChain.next(
                            head, DRAFT, ID, salt, TestChain.START, TestKey.ONE.keyId(), message -> message));
        }
    }

    @Test
    void a_draft_outside_of_the_profile_is_refused() {
        EventDraft draft = new EventDraft(EventKind.DRIFT_DETECTED, Map.of("actual", 0.35));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestChain.ofDecisions(0).append(draft, TestKey.ONE))
                .withMessageContaining("actual");
    }

    @Test
    void a_signed_message_begins_with_its_purpose() {
        PolicyEvent row = EventChain.next(
                ChainHead.genesis(TestChain.USER),
                DRAFT,
                ID,
                TestChain.SALT,
                TestChain.START,
                TestKey.ONE.keyId(),
                message -> message);

        assertThat(row.signature()).isEqualTo("agent-policy/event-sig/v1\n" + row.hash() + "\n");
    }

    @Test
    void a_row_on_the_wire_has_its_members_in_the_documented_order_and_its_payload_as_stored() {
        PolicyEvent row = next(ChainHead.genesis(TestChain.USER), TestChain.START);
        StringBuilder json = new StringBuilder();
        RowJson.append(json, row);

        assertThat(json.toString())
                .isEqualTo("{\"v\":1,\"userId\":\"7c9e6679-7425-40de-944b-e07fc1f90ae7\",\"seq\":1,\"eventId\":\"" + ID
                        + "\",\"eventType\":\"policy.drift_cleared\",\"createdAt\":\"2026-11-21T09:40:00.000000Z\","
                        + "\"payload\":" + row.payload() + ",\"payloadHash\":\"" + row.payloadHash()
                        + "\",\"prevHash\":\"" + "0".repeat(64) + "\",\"signingKeyId\":\"" + TestKey.ONE.keyId()
                        + "\",\"hash\":\"" + row.hash() + "\",\"signature\":\"" + row.signature() + "\"}");
        assertThat(RowJson.read(TestJson.object(json.toString())).orElseThrow()).isEqualTo(row);
    }

    @Test
    void an_erased_row_says_null() {
        PolicyEvent row = EmergencyVectors.erased(next(ChainHead.genesis(TestChain.USER), TestChain.START));
        StringBuilder json = new StringBuilder();
        RowJson.append(json, row);

        assertThat(json.toString()).contains("\"payload\":null,");
        assertThat(RowJson.read(TestJson.object(json.toString())).orElseThrow()).isEqualTo(row);
    }

    private static PolicyEvent next(ChainHead head, Instant now) {
        return EventChain.next(head, DRAFT, ID, TestChain.SALT, now, TestKey.ONE.keyId(), TestKey.ONE::sign);
    }
}
