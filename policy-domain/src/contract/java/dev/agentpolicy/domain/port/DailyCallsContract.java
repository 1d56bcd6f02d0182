package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The contract of {@link DailyCalls}. */
public interface DailyCallsContract extends StoreContract {

    @Test
    default void calls_are_counted_up_to_the_cap() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());

        assertThat(List.of(count(user, key, 2), count(user, key, 2), count(user, key, 2), count(user, key, 2)))
                .containsExactly(OptionalLong.of(1), OptionalLong.of(2), OptionalLong.empty(), OptionalLong.empty());
        assertThat(ports().dailyCalls().counted(user, key, today())).isEqualTo(2);
    }

    @Test
    default void a_raised_cap_admits_more_calls() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        count(user, key, 1);

        assertThat(count(user, key, 1)).isEmpty();
        assertThat(count(user, key, 2)).hasValue(2);
    }

    @Test
    default void each_day_and_each_key_has_its_own_count() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        AgentKeyId other = new AgentKeyId(UUID.randomUUID());
        count(user, key, 1);

        assertThat(count(user, other, 1)).hasValue(1);
        assertThat(answer(ports().dailyCalls().count(user, key, today().plusDays(1), 1)))
                .hasValue(1);
        assertThat(ports().dailyCalls().counted(user, key, today().plusDays(2))).isZero();
    }

    @Test
    default void changes_and_the_port_share_the_count_of_a_capped_key() {
        UserId user = StoreSamples.user();
        AgentKey key = capped(user, 9);
        count(user, key.id(), 9);
        count(user, key.id(), 9);

        assertThat(decide(user, key, 9)).isTrue();
        assertThat(ports().dailyCalls().counted(user, key.id(), today())).isEqualTo(3);
        assertThat(count(user, key.id(), 9)).hasValue(4);
    }

    @Test
    default void a_change_that_does_not_name_the_calls_sees_none() {
        UserId user = StoreSamples.user();
        AgentKey key = capped(user, 9);

        assertThat(seen(user, LoadSpec.tally(key.id()))).isEmpty();
    }

    @Test
    default void the_calls_of_a_key_without_a_cap_are_not_loaded() {
        UserId user = StoreSamples.user();
        AgentKey key = capped(user, null);

        assertThat(seen(user, LoadSpec.call(key.id()))).isEmpty();
    }

    @Test
    default void a_change_can_record_a_count_alone() {
        UserId user = StoreSamples.user();
        AgentKey key = capped(user, 9);
        long rows = ports().eventLog().head(user).seq();

        answer(ports().accounts()
                .change(
                        user,
                        StoreSamples.change(
                                LoadSpec.call(key.id()),
                                account -> new Outcome.Recording()
                                        .calls(key.id(), account.calls(key) + 1)
                                        .answer(receipts -> true))));

        assertThat(ports().dailyCalls().counted(user, key.id(), today())).isEqualTo(1);
        assertThat(ports().eventLog().head(user).seq()).isEqualTo(rows);
    }

    @Test
    default void concurrent_calls_and_decisions_together_reach_exactly_the_cap() {
        UserId user = StoreSamples.user();
        AgentKey key = capped(user, 30);
        List<CompletionStage<Boolean>> asked = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            asked.add(ports().dailyCalls().count(user, key.id(), today(), 30).thenApply(OptionalLong::isPresent));
            asked.add(deciding(user, key, 30));
        }

        assertThat(asked.stream().filter(this::answer)).hasSize(30);
        assertThat(ports().dailyCalls().counted(user, key.id(), today())).isEqualTo(30);
    }

    private AgentKey capped(UserId user, Integer cap) {
        AgentKey key = StoreSamples.key(user, cap);
        record(user, account -> new Outcome.Recording().key(key));
        return key;
    }

    private Map<AgentKeyId, Long> seen(UserId user, LoadSpec needs) {
        return answer(ports().accounts()
                .change(user, StoreSamples.change(needs, account -> Outcome.nothing(account.calls()))));
    }

    private OptionalLong count(UserId user, AgentKeyId key, int cap) {
        return answer(ports().dailyCalls().count(user, key, today(), cap));
    }

    private boolean decide(UserId user, AgentKey key, int cap) {
        return answer(deciding(user, key, cap));
    }

    /** Makes a decision unless the key has reached its daily call cap. */
    private CompletionStage<Boolean> deciding(UserId user, AgentKey key, int cap) {
        return ports().accounts().change(user, StoreSamples.change(LoadSpec.call(key.id()), account -> {
            long before = account.calls(key);
            return before >= cap
                    ? Outcome.nothing(false)
                    : new Outcome.Recording()
                            .calls(key.id(), before + 1)
                            .tally(key.id(), account.tally(key.id()).plusCall())
                            .event(StoreSamples.decided(key.id(), true, account.now()))
                            .answer(receipts -> true);
        }));
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock().instant(), ZoneOffset.UTC);
    }
}
