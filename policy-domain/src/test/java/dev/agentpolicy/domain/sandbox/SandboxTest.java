package dev.agentpolicy.domain.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.sample.SeededRandomSource;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade.Proposed;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the sandbox keeps for a test key, and for how long. */
class SandboxTest {
    private static final String SMALL = "buy 100 SPY tradfi";
    private static final LocalDate TODAY = LocalDate.ofInstant(SampleValues.NOON, ZoneOffset.UTC);
    private static final String BLOCKED = "buy 100 DOGE crypto";
    private final SettableClock clock = new SettableClock(SampleValues.NOON);
    private final Sandbox sandbox =
            new Sandbox(new JdkSigner(Purpose.SANDBOX), clock, new SeededRandomSource(new Random(1)));
    private final ValidateTrade validate = new ValidateTrade(sandbox, KeyCheck.AT_ADMISSION, AgentLimits.NONE);
    private final ProposeTrade propose =
            new ProposeTrade(sandbox, KeyCheck.AT_ADMISSION, AgentLimits.NONE, Duration.ofDays(7));
    private final Caller agent = agent(1);

    @Test
    void a_proposal_becomes_a_request_with_a_negative_id_and_is_replayed_for_a_day() {
        Proposed first = proposed(agent, SMALL, "once");
        clock.advance(IdempotencyKey.WINDOW.minusNanos(1_000));
        Proposed again = proposed(agent, SMALL, "once");
        clock.advance(Duration.ofNanos(1_000));
        Proposed later = proposed(agent, SMALL, "once");

        assertThat(first.requestId()).isEqualTo(-1);
        assertThat(again.isReplay()).isTrue();
        assertThat(again.requestId()).isEqualTo(-1);
        assertThat(later.requestId()).isEqualTo(-2);
    }

    @Test
    void requests_are_read_newest_first_by_their_own_key_only() {
        for (int i = 0; i < 4; i++) {
            proposed(agent, SMALL, null);
        }

        assertThat(page(agent, null, null, 3)).containsExactly(-4L, -3L, -2L);
        assertThat(page(agent, RequestStatus.PENDING, -2L, 3)).containsExactly(-1L);
        assertThat(page(agent, RequestStatus.COMPLETED, null, 3)).isEmpty();
        assertThat(page(agent(2), null, null, 3)).isEmpty();
        assertThat(sandbox.find(agent.account(), -3)).isPresent();
        assertThat(sandbox.findAll(agent.account(), List.of(-3L, -1L, 7L))).containsOnlyKeys(-3L, -1L);
        assertThat(sandbox.expired(SampleValues.NOON.plus(Duration.ofDays(9)), 5))
                .isEmpty();
        assertThat(sandbox.unconfirmed(SampleValues.NOON, 5)).isEmpty();
    }

    @Test
    void only_the_last_200_requests_and_100_decisions_of_a_key_are_kept() {
        for (int i = 0; i < 201; i++) {
            proposed(agent, SMALL, null);
        }

        assertThat(sandbox.findAll(agent.account(), List.of(-1L, -2L, -201L))).containsOnlyKeys(-2L, -201L);
        assertThat(decisions(agent, AuditQuery.latest(1_000))).hasSize(100);
    }

    @Test
    void the_calls_of_a_test_key_with_a_cap_are_counted_in_memory() {
        Caller capped = agent(2, new KeyPolicy(3, null, null, null, null));

        assertThat(count(capped)).hasValue(1);
        proposed(capped, SMALL, "once");
        proposed(capped, SMALL, "once");
        assertThat(sandbox.counted(capped.account(), capped.key().id(), TODAY)).isEqualTo(3);
        assertThat(count(capped)).isEmpty();
        assertThat(validate.one(capped, SampleValues.sent(SMALL))
                        .toCompletableFuture()
                        .join()
                        .fold(given -> null, Refusal::code))
                .isEqualTo(Refusal.Code.DAILY_CALL_CAP);
        clock.advance(Duration.ofDays(1));
        validated(capped, SMALL);
        assertThat(sandbox.counted(capped.account(), capped.key().id(), TODAY.plusDays(1)))
                .isEqualTo(1);
    }

    private OptionalLong count(Caller caller) {
        return sandbox.count(
                        caller.account(),
                        caller.key().id(),
                        TODAY,
                        caller.key().policy().dailyCallCap())
                .toCompletableFuture()
                .join();
    }

    @Test
    void a_proposal_is_replayed_after_many_others() {
        proposed(agent, SMALL, "once");
        for (int i = 0; i < 500; i++) {
            proposed(agent, SMALL, "other-" + i);
        }

        assertThat(proposed(agent, SMALL, "once").requestId()).isEqualTo(-1);
        assertThat(proposed(agent, "buy 101 SPY tradfi", "other-0").isSameBody())
                .isFalse();
    }

    @Test
    void a_proposal_is_replayed_after_its_account_was_forgotten() {
        proposed(agent, SMALL, "once");
        for (int other = 2; other <= 501; other++) {
            validated(agent(other), SMALL);
        }

        assertThat(proposed(agent, SMALL, "once").requestId()).isEqualTo(-1);
        assertThat(decisions(agent, AuditQuery.latest(10))).isEmpty();
        assertThat(proposed(agent(2), SMALL, "once").isReplay()).isFalse();
    }

    @Test
    void beyond_500_keys_the_one_whose_last_use_is_oldest_is_forgotten() {
        validated(agent, SMALL);
        for (int other = 2; other <= 500; other++) {
            validated(agent(other), SMALL);
        }
        validated(agent, SMALL);

        validated(agent(501), SMALL);

        assertThat(decisions(agent, AuditQuery.latest(10))).hasSize(2);
        assertThat(decisions(agent(2), AuditQuery.latest(10))).isEmpty();
    }

    @Test
    void only_the_last_500_keys_are_remembered() {
        proposed(agent, SMALL, null);
        for (int other = 2; other <= 500; other++) {
            validated(agent(other), SMALL);
        }
        assertThat(page(agent, null, null, 5)).hasSize(1);

        for (int other = 501; other <= 1_000; other++) {
            validated(agent(other), SMALL);
        }
        assertThat(page(agent, null, null, 5)).isEmpty();
    }

    @Test
    void decisions_follow_each_other_and_are_read_newest_first_by_filter() {
        validated(agent, SMALL);
        clock.advance(Duration.ofSeconds(1));
        validated(agent, BLOCKED);
        AgentKeyId other = new AgentKeyId(new UUID(0, 99));

        List<PolicyEvent> all = decisions(agent, AuditQuery.latest(10));

        assertThat(all).extracting(PolicyEvent::seq).containsExactly(6L, 5L);
        assertThat(all.get(0).prevHash()).isEqualTo(all.get(1).hash());
        assertThat(decisions(agent, AuditQuery.latest(1))).isEqualTo(all.subList(0, 1));
        assertThat(decisions(agent, new AuditQuery(10, null, true, null))).isEqualTo(all.subList(1, 2));
        assertThat(decisions(agent, new AuditQuery(10, null, false, null))).isEqualTo(all.subList(0, 1));
        assertThat(decisions(agent, new AuditQuery(10, agent.key().id(), null, null)))
                .isEqualTo(all);
        assertThat(decisions(agent, new AuditQuery(10, other, null, null))).isEmpty();
        assertThat(decisions(agent, AuditQuery.latest(10).before(6))).isEqualTo(all.subList(1, 2));
        assertThat(decisions(agent, AuditQuery.latest(10).before(5))).isEmpty();
        assertThat(decisions(agent, new AuditQuery(10, null, null, SampleValues.NOON)))
                .isEqualTo(all.subList(0, 1));
    }

    @Test
    void decisions_continue_after_the_demonstration_chain() {
        validated(agent, SMALL);
        List<PolicyEvent> shown =
                sandbox.page(agent.account(), EventQuery.all()).rows();

        PolicyEvent first = decisions(agent, AuditQuery.latest(1)).get(0);

        assertThat(shown).extracting(PolicyEvent::seq).doesNotContain(first.seq());
        assertThat(first.prevHash()).isEqualTo(shown.get(shown.size() - 1).hash());
    }

    @Test
    void times_of_decisions_do_not_decrease_when_the_clock_is_set_back() {
        validated(agent, SMALL);
        clock.set(SampleValues.NOON.minusSeconds(5));
        validated(agent, SMALL);

        assertThat(decisions(agent, AuditQuery.latest(10)))
                .extracting(PolicyEvent::createdAt)
                .containsExactly(SampleValues.NOON, SampleValues.NOON);
    }

    @Test
    void every_key_reads_the_fixed_policy_and_its_own_usage() {
        AccountReader reader = sandbox;
        proposed(agent, SMALL, null);

        assertThat(reader.view(agent.account()).ips()).isEqualTo(FixedPolicy.IPS);
        assertThat(reader.view(agent.account()).portfolio()).isEqualTo(FixedPolicy.PORTFOLIO);
        assertThat(reader.view(agent.account()).head()).isEqualTo(sandbox.head(agent.account()));
        assertThat(reader.tally(agent.account(), agent.key().id()).calls()).isOne();
        assertThat(reader.tally(agent(2).account(), agent.key().id())).isEqualTo(Tally.NONE);
        assertThat(reader.ipsVersions(agent.account(), Integer.MAX_VALUE, 10)).containsExactly(FixedPolicy.IPS);
        assertThat(reader.ipsVersion(agent.account(), 1)).contains(FixedPolicy.IPS);
        assertThat(reader.ipsVersion(agent.account(), 2)).isEmpty();
        assertThat(reader.portfolioHistory(agent.account(), SampleValues.NOON))
                .containsExactly(PortfolioDay.of(FixedPolicy.PORTFOLIO));
        assertThat(sandbox.page(agent.account(), EventQuery.all()).rows()).hasSize(4);
    }

    private List<Long> page(Caller caller, RequestStatus status, Long before, int limit) {
        return sandbox.page(caller.account(), status, before, limit).stream()
                .map(ServiceRequest::id)
                .toList();
    }

    private List<PolicyEvent> decisions(Caller caller, AuditQuery query) {
        return sandbox.decisions(caller.account(), query).stream()
                .map(LoggedDecision::event)
                .toList();
    }

    private void validated(Caller caller, String trade) {
        validate.one(caller, SampleValues.sent(trade)).toCompletableFuture().join();
    }

    private Proposed proposed(Caller caller, String trade, String once) {
        return propose.propose(caller, new ProposalBody(SampleValues.sent(trade), null), once)
                .toCompletableFuture()
                .join()
                .fold(given -> given, refused -> {
                    throw new AssertionError(refused.message());
                });
    }

    private static Caller agent(int number) {
        return agent(number, KeyPolicy.NO_CAPS);
    }

    private static Caller agent(int number, KeyPolicy policy) {
        UUID id = new UUID(0, number);
        AgentKey key = new AgentKey(
                new AgentKeyId(id),
                new UserId(new UUID(1, 1)),
                "Robot",
                KeyType.TEST,
                Set.of(Scope.values()),
                policy,
                "0".repeat(64),
                "0000",
                SampleValues.NOON,
                null,
                null,
                null,
                List.of(),
                null);
        return new Caller(key, new UserId(id), null, "127.0.0.1");
    }
}
