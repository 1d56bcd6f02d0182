package dev.agentpolicy.domain.usecase.upkeep;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade.Recorded;
import dev.agentpolicy.domain.usecase.upkeep.WriteGate.Obstacle;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WriteGateTest {
    private final AtomicReference<Optional<String>> disk = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<String>> clock = new AtomicReference<>(Optional.empty());
    private final WriteGate gate =
            new WriteGate(List.of(new Obstacle("disk", disk::get), new Obstacle("clock", clock::get)));
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");
    private final ValidateTrade validate =
            new ValidateTrade(gate.guard(fixture.store), KeyCheck.IN_ACCOUNT, UseCaseFixture.LIMITS);

    @Test
    void while_there_is_an_obstacle_no_decision_is_made_or_recorded() {
        int before = fixture.events().size();
        disk.set(Optional.of("The disk is nearly full."));

        assertThatThrownBy(this::decide).isInstanceOfSatisfying(CompletionException.class, thrown -> {
            Refusal refusal = Refusal.ofFailure(thrown.getCause()).orElseThrow();
            assertThat(refusal.code()).isEqualTo(Refusal.Code.UNAVAILABLE);
            assertThat(refusal.retryAfterSeconds()).isEqualTo(5);
            assertThat(refusal.message()).doesNotContain("disk");
        });

        assertThat(fixture.events()).hasSize(before);
    }

    @Test
    void the_first_obstacle_gives_the_reason() {
        clock.set(Optional.of("The clock is wrong."));
        assertThat(gate.closedBecause()).contains("The clock is wrong.");

        disk.set(Optional.of("The disk is nearly full."));
        assertThat(gate.closedBecause()).contains("The disk is nearly full.");
        assertThatThrownBy(this::decide).hasRootCauseMessage("The disk is nearly full.");
    }

    @Test
    void decisions_resume_when_the_last_obstacle_is_gone() {
        disk.set(Optional.of("The disk is nearly full."));
        assertThatThrownBy(this::decide).hasCauseInstanceOf(Unavailable.class);

        disk.set(Optional.empty());

        assertThat(decide().value().decision().isAllowed()).isTrue();
    }

    private Recorded<AdvisedDecision> decide() {
        return given(validate.one(agent, SentTrade.of(SampleValues.trade("buy 100 BTC crypto"))));
    }
}
