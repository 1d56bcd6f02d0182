package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests and holdings that were stored before symbols were resolved. */
class LegacySymbolsTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");

    @Test
    void a_stored_request_with_another_spelling_is_checked_as_the_asset_and_must_be_proposed_again() {
        long id = proposedOnce("buy 100 ETH-USD crypto");

        Pending answered = (Pending) given(fixture.attest.accept(USER, id));

        assertThat(answered.isAccepted()).isFalse();
        assertThat(answered.executionError()).isEqualTo("ETH-USD is traded here as ETH; have it proposed again.");
        assertThat(fixture.portfolio().total()).isEqualTo(Usd.of(100_000));
        everyVerdictFollows();
    }

    @Test
    void a_stored_request_with_another_spelling_does_not_bypass_the_current_ips() {
        long id = proposedOnce("buy 100 DOGE-USD crypto");
        given(fixture.amendIps.put(USER, SampleValues.ips("{\"assetAuthority\":{\"assets\":{\"DOGE\":\"monitor\"}}}")));

        assertThat(UseCaseFixture.refused(fixture.attest.accept(USER, id)).code())
                .isEqualTo(Refusal.Code.POLICY_BLOCKED);
        everyVerdictFollows();
    }

    @Test
    void a_stored_request_with_the_canonical_symbol_is_executed() {
        long id = proposedOnce("buy 100 BTC crypto");

        assertThat(given(fixture.attest.accept(USER, id)).resolvedAt()).isPresent();
        everyVerdictFollows();
    }

    @Test
    void stored_holdings_get_canonical_symbols_unless_two_positions_would_become_one() {
        assertThat(read("XBT crypto, SPY. tradfi, GROVE crypto"))
                .extracting(position -> position.symbol().value())
                .containsExactly("BTC", "SPY", "GROVE");
        assertThat(read("BTC-USD crypto, BTC crypto, XDG crypto, DOGEUSD crypto"))
                .extracting(position -> position.symbol().value())
                .containsExactly("BTC-USD", "BTC", "DOGE", "DOGEUSD");
    }

    private static List<Position> read(String positions) {
        String items = positions.replaceAll(
                "(\\S+) (crypto|tradfi)",
                "{\"assetType\":\"$2\",\"price\":\"1\",\"quantity\":\"1\",\"symbol\":\"$1\"}");
        String stored = "{\"cash\":\"1\",\"id\":\"a\",\"kind\":\"paper\",\"name\":\"A\",\"positions\":["
                + items.replace(", {", ",{") + "],\"revision\":1,\"syncedAt\":\"2026-11-21T12:00:00.000000Z\"}";
        return HoldingsDocument.STORED
                .readStored(CanonicalForm.readStored(stored))
                .positions();
    }

    /** Records a request as a version did that did not resolve symbols. */
    private long proposedOnce(String text) {
        Trade trade = SampleValues.trade(text);
        return fixture.store
                .change(USER, account -> {
                    long id = account.requestIds().getAsLong();
                    Decision decision = Evaluator.decide(new EvaluationContext(
                            trade,
                            null,
                            account.ips(),
                            account.portfolio().snapshot().orElseThrow(),
                            account.portfolio().held(trade.asset(), trade.assetType()),
                            agent.key().policy(),
                            CapUsage.NOTHING,
                            account.now()));
                    assertThat(decision.isAllowed()).isTrue();
                    Proposal proposal = new Proposal(
                            id,
                            USER,
                            agent.key().id(),
                            "Robot",
                            trade,
                            null,
                            null,
                            decision,
                            List.of(),
                            account.now(),
                            account.now().plus(UseCaseFixture.WINDOW),
                            null);
                    Usd held = account.portfolio().held(trade.asset(), trade.assetType());
                    return new Outcome.Recording()
                            .request(Pending.of(proposal))
                            .tally(
                                    agent.key().id(),
                                    account.tally(agent.key().id())
                                            .plusUsd(trade.amount())
                                            .plusPending(trade)
                                            .plusCall())
                            .event(DecisionPayload.draft(new DecisionRecord(
                                    Kind.PROPOSE,
                                    null,
                                    agent.key().id(),
                                    trade,
                                    null,
                                    null,
                                    held,
                                    CapUsage.NOTHING,
                                    decision,
                                    List.of(),
                                    List.of(),
                                    List.of(),
                                    null,
                                    id)))
                            .answer(receipts -> id);
                })
                .toCompletableFuture()
                .join();
    }

    private void everyVerdictFollows() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }
}
