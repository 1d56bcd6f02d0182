package dev.agentpolicy.domain.event.chain;

import static dev.agentpolicy.domain.event.chain.ScriptedChain.KEY;
import static dev.agentpolicy.domain.event.chain.ScriptedChain.NO;
import static dev.agentpolicy.domain.event.chain.ScriptedChain.YES;
import static dev.agentpolicy.domain.event.chain.ScriptedChain.key;
import static dev.agentpolicy.domain.event.chain.ScriptedChain.used;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.content.UnreadableItem;
import dev.agentpolicy.domain.event.recompute.Recomputation.RecomputationResult;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Decisions are recomputed with the statement and the keys that the chain records. */
class RecomputedPolicyTest {
    private static final String BUY = "buy 100 BTC crypto";
    private static final AgentKeyId OTHER = new AgentKeyId(new UUID(0, 2));
    private final ScriptedChain chain = ScriptedChain.begun();

    @Test
    void versions_of_the_statement_are_consecutive() {
        assertThat(chain.statement(2)).isNull();
        assertThat(chain.statement(4)).isEqualTo("Version 4 of the statement does not follow version 2.");
        assertThat(new ScriptedChain().statement(2)).isEqualTo("Version 2 of the statement does not follow version 0.");
    }

    @Test
    void only_the_first_version_is_created() {
        EventDraft second = chain.statementOf(2);

        assertThat(chain.tell(new EventDraft(EventKind.IPS_CREATED, second.payload())))
                .isEqualTo("Version 2 of the statement does not follow version 1.");
    }

    @Test
    void a_version_names_its_predecessor() {
        assertThat(chain.tell(chain.statementOf(2), "previousIpsVersion", 7))
                .isEqualTo("Version 2 of the statement does not follow version 1.");
    }

    @Test
    void an_erased_statement_is_not_recomputed_until_the_next() {
        assertThat(chain.erased(chain.statementOf(2))).isNull();
        assertThat(chain.validated(BUY, CapUsage.NOTHING)).isNull();
        assertThat(chain.recomputation.count(RecomputationResult.ERASED)).isOne();
        assertThat(chain.recomputation.count(RecomputationResult.RECOMPUTED)).isZero();

        assertThat(chain.statement(3)).isNull();
        assertThat(chain.validated(BUY, used(1, 0, 0))).isNull();
        assertThat(chain.recomputation.count(RecomputationResult.RECOMPUTED)).isOne();
        assertThat(chain.statement(7)).isEqualTo("Version 7 of the statement does not follow version 3.");
    }

    @Test
    void a_key_is_minted_once_and_before_anything_else() {
        assertThat(chain.tell(EventPayloads.key(EventKind.KEY_MINTED, key(KEY))))
                .isEqualTo("The key " + KEY + " is minted a second time.");
        assertThat(chain.tell(EventPayloads.key(EventKind.KEY_ROTATED, key(OTHER))))
                .isEqualTo("The key " + OTHER + " was never minted.");
    }

    @Test
    void a_key_stays_as_it_was_minted_until_it_is_revoked() {
        String changed = "The key " + KEY + " is not as it was minted, or was revoked before.";

        assertThat(chain.tell(EventPayloads.key(EventKind.KEY_ROTATED, key(KEY))))
                .isNull();
        assertThat(chain.tell(EventPayloads.key(EventKind.KEY_REVOKED, key(KEY))))
                .isNull();
        assertThat(chain.tell(EventPayloads.key(EventKind.KEY_ROTATED, key(KEY))))
                .isEqualTo(changed);
        assertThat(ScriptedChain.begun().tell(EventPayloads.key(EventKind.KEY_ROTATED, key(KEY, Scope.READ))))
                .isEqualTo(changed);
    }

    @Test
    void a_key_whose_minting_was_erased_is_not_checked() {
        assertThat(chain.erased(EventPayloads.key(EventKind.KEY_MINTED, key(OTHER))))
                .isNull();

        assertThat(chain.tell(chain.decided(OTHER, Kind.VALIDATE, null, BUY, CapUsage.NOTHING, null, null)))
                .isNull();
        assertThat(chain.recomputation.count(RecomputationResult.ERASED)).isOne();
        assertThat(chain.tell(EventPayloads.key(EventKind.KEY_ROTATED, key(OTHER))))
                .isNull();
    }

    @Test
    void a_key_that_was_never_minted_decides_nothing() {
        assertThat(chain.tell(chain.decided(OTHER, Kind.VALIDATE, null, BUY, CapUsage.NOTHING, null, null)))
                .isEqualTo("The key " + OTHER + " was never minted.");
    }

    @Test
    void a_key_works_until_it_expires() {
        Duration hour = Duration.ofHours(1);
        assertThat(chain.tell(
                        EventPayloads.key(EventKind.KEY_MINTED, key(OTHER)),
                        "expiresAt",
                        Instants.format(chain.now().plus(hour))))
                .isNull();
        chain.later(hour.minusNanos(1_000));
        assertThat(chain.tell(chain.decided(OTHER, Kind.VALIDATE, null, BUY, CapUsage.NOTHING, null, null)))
                .isNull();
        chain.later(Duration.ofNanos(1_000));

        assertThat(chain.tell(chain.decided(OTHER, Kind.VALIDATE, null, BUY, used(1, 0, 0), null, null)))
                .isEqualTo("The key " + OTHER + " did not work any more.");
    }

    @Test
    void a_revoked_key_decides_nothing_but_the_user_may_attest_its_requests() {
        assertThat(chain.proposed(BUY, CapUsage.NOTHING, 1L)).isNull();
        assertThat(chain.tell(EventPayloads.key(EventKind.KEY_REVOKED, key(KEY))))
                .isNull();

        assertThat(chain.attested(NO, BUY, 0, 1)).isNull();
        assertThat(chain.validated(BUY, used(1, 100, 0))).isEqualTo("The key " + KEY + " did not work any more.");
    }

    @Test
    void a_key_does_only_what_its_scopes_allow() {
        assertThat(chain.tell(EventPayloads.key(EventKind.KEY_MINTED, key(OTHER, Scope.VALIDATE))))
                .isNull();
        assertThat(chain.tell(chain.decided(OTHER, Kind.VALIDATE, null, BUY, CapUsage.NOTHING, null, null)))
                .isNull();
        assertThat(chain.tell(chain.decided(OTHER, Kind.PROPOSE, null, BUY, used(1, 0, 0), null, 1L)))
                .isEqualTo("The key " + OTHER + " may not propose.");

        ScriptedChain proposing = ScriptedChain.begun();
        proposing.tell(EventPayloads.key(EventKind.KEY_MINTED, key(OTHER, Scope.PROPOSE)));
        assertThat(proposing.tell(proposing.decided(OTHER, Kind.VALIDATE_BATCH, 0, BUY, CapUsage.NOTHING, null, null)))
                .isEqualTo("The key " + OTHER + " may not validate.");
    }

    @Test
    void a_decision_has_the_members_of_its_kind() {
        String others = "The decision has members that do not go with its kind.";
        String request = "There is a request where none should be, or none.";

        assertThat(said(Kind.VALIDATE, null, YES, null)).isEqualTo(others);
        assertThat(said(Kind.ATTESTATION, null, null, 1L)).isEqualTo(others);
        assertThat(said(Kind.VALIDATE, 0, null, null)).isEqualTo(others);
        assertThat(said(Kind.VALIDATE_BATCH, null, null, null)).isEqualTo(others);
        assertThat(said(Kind.VALIDATE, null, null, 1L)).isEqualTo(request);
        assertThat(said(Kind.PROPOSE, null, null, null)).isEqualTo(request);
        assertThat(said(Kind.ATTESTATION, null, YES, null)).isEqualTo(request);
        assertThat(ScriptedChain.begun().proposed("buy 9000 BTC crypto", CapUsage.NOTHING, 1L))
                .isEqualTo(request);
    }

    @Test
    void a_wrong_member_is_shown_up_to_two_hundred_characters() {
        String follows = "; what follows is {\"actor\":\"agent\"}.";

        assertThat(withActor("x".repeat(188)))
                .isEqualTo("The member actor says {\"actor\":\"" + "x".repeat(188) + "\"}" + follows);
        assertThat(withActor("x".repeat(189)))
                .isEqualTo("The member actor says {\"actor\":\"" + "x".repeat(189) + "\"..." + follows);
    }

    @Test
    void a_member_that_no_decision_has_is_found() {
        assertThat(chain.tell(chain.decided(Kind.VALIDATE, null, BUY, CapUsage.NOTHING, null, null), "extra", 1))
                .isEqualTo("The payload has members that no decision has.");
    }

    @Test
    void only_an_item_of_a_batch_may_be_unreadable() {
        String wrong = "The trade is missing, but the violations are not those of an unreadable one.";

        assertThat(UnreadableItem.told(UnreadableItem.invalid(null, null))).isNull();
        assertThat(UnreadableItem.told(UnreadableItem.invalid("1", null))).isEqualTo(wrong);
        assertThat(UnreadableItem.told(UnreadableItem.invalid(null, "1"))).isEqualTo(wrong);
        assertThat(UnreadableItem.told(UnreadableItem.NO_CASH)).isEqualTo(wrong);
        assertThat(UnreadableItem.told()).isEqualTo(wrong);
        assertThat(UnreadableItem.told(UnreadableItem.invalid(null, null), UnreadableItem.NO_CASH))
                .isEqualTo(wrong);
        assertThat(UnreadableItem.told(Kind.VALIDATE, null, List.of(UnreadableItem.invalid(null, null))))
                .isEqualTo(wrong);
    }

    private static String withActor(String actor) {
        ScriptedChain chain = ScriptedChain.begun();
        return chain.tell(chain.decided(Kind.VALIDATE, null, BUY, CapUsage.NOTHING, null, null), "actor", actor);
    }

    private static String said(Kind kind, Integer index, DecisionRecord.Attestation said, Long id) {
        ScriptedChain chain = ScriptedChain.begun();
        return chain.tell(chain.decided(kind, index, BUY, CapUsage.NOTHING, said, id));
    }
}
