package dev.agentpolicy.domain.usecase.agent;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.port.InMemoryCallCounter;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.UnavailableDailyCalls;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.AdmitCall.Admission;
import dev.agentpolicy.domain.usecase.agent.AdmitCall.DailyCount;
import dev.agentpolicy.domain.usecase.policy.IssueKeys.Issued;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmitCallTest {
    private final UseCaseFixture fixture = new UseCaseFixture();

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "x", "svc_live_0000000000000000000000000000000000000000000000000000000000000000"})
    void an_unknown_caller_is_refused_and_uses_the_budget_of_its_address(String bearer) {
        Admission admission = admit(bearer, "10.0.0.1", null);

        assertThat(code(admission)).isEqualTo(Code.UNAUTHORIZED);
        assertThat(admission.key()).isNull();
        assertThat(admission.budget().remaining()).isEqualTo(UseCaseFixture.PER_SECOND - 1);
        assertThat(fixture.admit
                        .admitAnyone("10.0.0.1")
                        .toCompletableFuture()
                        .join()
                        .remaining())
                .isEqualTo(UseCaseFixture.PER_SECOND - 2);
    }

    @Test
    void a_live_key_gets_its_users_account_and_the_live_use_cases() {
        Issued issued = fixture.mint("live", "\"read\"", "{}");
        String bearer = issued.credential().reveal();

        Caller caller = new Caller(issued.key(), UseCaseFixture.USER, fixture.live, "x");
        assertThat(let(admit(bearer, "x", Scope.READ))).isEqualTo(caller);
        assertThat(let(fromMemory(bearer, Scope.READ).orElseThrow())).isEqualTo(caller);
    }

    @Test
    void the_cache_admits_live_keys_and_refuses_what_is_no_credential() {
        String live = fixture.mint("live", "\"read\"", "{}").credential().reveal();
        String test = fixture.mint("test", "\"read\"", "{}").credential().reveal();

        assertThat(code(fromMemory(live, Scope.PROPOSE).orElseThrow())).isEqualTo(Code.FORBIDDEN);
        assertThat(code(fromMemory("nonsense", null).orElseThrow())).isEqualTo(Code.UNAUTHORIZED);
        assertThat(code(fromMemory(null, null).orElseThrow())).isEqualTo(Code.UNAUTHORIZED);
        assertThat(fromMemory(test, null)).isEmpty();
        assertThat(fromMemory("svc_live_" + "0".repeat(64), null)).isEmpty();
    }

    @Test
    void the_cache_refuses_nothing_that_a_change_of_the_key_may_have_allowed() {
        String capped = fixture.mint("live", "\"read\",\"validate\"", "{\"dailyCallCap\":0}")
                .credential()
                .reveal();
        String sent =
                "{\"name\":\"a\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"allowedCidrs\":[\"203.0.113.0/24\"]}";
        String narrow = given(fixture.keys.mint(
                        UseCaseFixture.USER,
                        KeyRequest.read(JsonSamples.object(sent)).orElseThrow()))
                .credential()
                .reveal();

        assertThat(fromMemory(capped, Scope.READ)).isEmpty();
        assertThat(let(fromMemory(capped, Scope.VALIDATE).orElseThrow()).useCases())
                .isSameAs(fixture.live);
        assertThat(fromMemory(narrow, Scope.READ)).isEmpty();
    }

    @Test
    void an_expired_key_is_not_admitted_from_memory_either() {
        String sent = "{\"name\":\"a\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"expiresInDays\":1}";
        Issued issued = given(fixture.keys.mint(
                UseCaseFixture.USER, KeyRequest.read(JsonSamples.object(sent)).orElseThrow()));

        fixture.clock.advance(Duration.ofDays(1));

        assertThat(code(fromMemory(issued.credential().reveal(), null).orElseThrow()))
                .isEqualTo(Code.UNAUTHORIZED);
    }

    @Test
    void a_test_key_gets_its_own_account_and_the_sandbox_use_cases() {
        Issued issued = fixture.mint("test", "\"read\"", "{}");

        Caller caller = let(admit(issued.credential().reveal(), "x", null));

        assertThat(caller.useCases()).isSameAs(fixture.sandbox);
        assertThat(caller.account().value()).isEqualTo(issued.key().id().value());
    }

    @Test
    void a_revoked_key_is_refused() {
        Issued issued = fixture.mint("live", "\"read\"", "{}");
        given(fixture.keys.revoke(UseCaseFixture.USER, issued.key().id()));

        assertThat(code(admit(issued.credential().reveal(), "x", null))).isEqualTo(Code.UNAUTHORIZED);
    }

    @Test
    void a_rotated_key_works_with_its_new_secret_only() {
        Issued issued = fixture.mint("live", "\"read\"", "{}");
        Issued rotated =
                given(fixture.keys.rotate(UseCaseFixture.USER, issued.key().id()));

        assertThat(code(admit(issued.credential().reveal(), "x", null))).isEqualTo(Code.UNAUTHORIZED);
        assertThat(let(admit(rotated.credential().reveal(), "x", null)).key().id())
                .isEqualTo(issued.key().id());
    }

    @Test
    void a_key_works_until_it_expires() {
        String sent = "{\"name\":\"a\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"expiresInDays\":1}";
        Issued issued = given(fixture.keys.mint(
                UseCaseFixture.USER, KeyRequest.read(JsonSamples.object(sent)).orElseThrow()));
        String bearer = issued.credential().reveal();

        fixture.clock.advance(Duration.ofDays(1).minusNanos(1_000));
        assertThat(let(admit(bearer, "x", null)).key()).isEqualTo(issued.key());

        fixture.clock.advance(Duration.ofNanos(1_000));
        assertThat(code(admit(bearer, "x", null))).isEqualTo(Code.UNAUTHORIZED);
    }

    @Test
    void the_refusal_names_the_missing_scope() {
        Issued issued = fixture.mint("live", "\"read\",\"validate\"", "{}");

        Refusal refusal = refusal(admit(issued.credential().reveal(), "x", Scope.PROPOSE));

        assertThat(refusal.code()).isEqualTo(Code.FORBIDDEN);
        assertThat(refusal.scope()).isEqualTo(Scope.PROPOSE);
    }

    @Test
    void each_key_has_fifty_calls_per_second() {
        String bearer = fixture.mint("live", "\"read\"", "{}").credential().reveal();
        String other = fixture.mint("live", "\"read\"", "{}").credential().reveal();
        for (int i = 1; i <= UseCaseFixture.PER_SECOND; i++) {
            Admission admission = admit(bearer, "x", null);
            assertThat(admission.budget().remaining()).isEqualTo(UseCaseFixture.PER_SECOND - i);
            let(admission);
        }

        Refusal over = refusal(admit(bearer, "x", null));

        assertThat(over.code()).isEqualTo(Code.RATE_LIMITED);
        assertThat(over.limit()).isEqualTo(50);
        assertThat(over.retryAfterSeconds()).isEqualTo(1);
        let(admit(other, "x", null));

        fixture.clock.advance(Duration.ofSeconds(1));
        let(admit(bearer, "x", null));
    }

    @Test
    void reads_count_towards_the_daily_call_cap() {
        String bearer = fixture.mint("live", "\"read\"", "{\"dailyCallCap\":3}")
                .credential()
                .reveal();

        assertThat(admit(bearer, "x", null).callsToday()).isEqualTo(1);
        assertThat(admit(bearer, "x", Scope.READ).callsToday()).isEqualTo(2);
        assertThat(admit(bearer, "x", Scope.READ).callsToday()).isEqualTo(3);
        Refusal refusal = refusal(admit(bearer, "x", Scope.READ));

        assertThat(refusal.code()).isEqualTo(Code.DAILY_CALL_CAP);
        assertThat(refusal.limit()).isEqualTo(3);
        assertThat(refusal.retryAfterSeconds()).isEqualTo(12 * 3600);
        assertThat(code(admit(bearer, "x", null))).isEqualTo(Code.DAILY_CALL_CAP);
        fixture.clock.advance(Duration.ofHours(12));
        assertThat(admit(bearer, "x", Scope.READ).callsToday()).isEqualTo(1);
    }

    @Test
    void a_call_without_its_scope_counts_and_is_refused_for_the_cap_once_that_is_reached() {
        String bearer = fixture.mint("live", "\"read\"", "{\"dailyCallCap\":1}")
                .credential()
                .reveal();

        assertThat(code(admit(bearer, "x", Scope.PROPOSE))).isEqualTo(Code.FORBIDDEN);
        assertThat(code(admit(bearer, "x", Scope.PROPOSE))).isEqualTo(Code.DAILY_CALL_CAP);
    }

    @Test
    void a_call_beyond_the_budget_of_its_second_does_not_count_towards_the_cap() {
        Issued issued = fixture.mint("live", "\"read\"", "{\"dailyCallCap\":1000}");
        for (int i = 0; i < UseCaseFixture.PER_SECOND + 5; i++) {
            admit(issued.credential().reveal(), "x", Scope.READ);
        }

        assertThat(fixture.calls(new Caller(issued.key(), UseCaseFixture.USER, fixture.live, "127.0.0.1")))
                .isEqualTo(UseCaseFixture.PER_SECOND);
    }

    @Test
    void a_call_for_a_decision_is_counted_with_it_or_when_it_is_refused_before_it() {
        Issued issued = fixture.mint("live", "\"validate\"", "{\"dailyCallCap\":1}");
        Admission admission = admit(issued.credential().reveal(), "x", Scope.VALIDATE);
        Caller caller = let(admission);
        assertThat(admission.callsToday()).isNull();
        assertThat(fixture.calls(caller)).isZero();

        assertThat(countRefused(caller)).isEmpty();
        assertThat(fixture.calls(caller)).isEqualTo(1);
        assertThat(countRefused(caller))
                .hasValueSatisfying(it -> assertThat(it.code()).isEqualTo(Code.DAILY_CALL_CAP));
    }

    @Test
    void calls_of_a_key_without_a_cap_are_not_counted() {
        Issued issued = fixture.mint("live", "\"read\",\"validate\"", "{}");
        Admission admission = admit(issued.credential().reveal(), "x", Scope.READ);

        assertThat(admission.callsToday()).isNull();
        assertThat(countRefused(let(admission))).isEmpty();
        assertThat(fixture.calls(let(admission))).isZero();
    }

    @Test
    void a_call_that_needs_no_key_is_never_counted() {
        Issued issued = fixture.mint("live", "\"read\"", "{\"dailyCallCap\":1}");

        Admission admission = fixture.admit
                .admit(issued.credential().reveal(), "x", null, DailyCount.NEVER)
                .toCompletableFuture()
                .join();

        assertThat(admission.callsToday()).isNull();
        assertThat(fixture.calls(let(admission))).isZero();
    }

    @Test
    void a_cap_of_zero_refuses_every_call() {
        String bearer = fixture.mint("live", "\"read\"", "{\"dailyCallCap\":0}")
                .credential()
                .reveal();

        assertThat(code(admit(bearer, "x", Scope.READ))).isEqualTo(Code.DAILY_CALL_CAP);
    }

    @Test
    void a_call_that_cannot_be_counted_is_refused_with_its_budget() {
        Issued issued = fixture.mint("live", "\"read\"", "{\"dailyCallCap\":9}");
        AdmitCall admit = new AdmitCall(
                fixture.store.agentKeys(),
                new InMemoryCallCounter(UseCaseFixture.PER_SECOND),
                fixture.clock,
                new AgentUseCases(null, null, null, null, null, null, null, new UnavailableDailyCalls(), false),
                fixture.sandbox);

        Admission admission = admit.admit(issued.credential().reveal(), "x", Scope.READ, DailyCount.AT_ONCE)
                .toCompletableFuture()
                .join();

        assertThat(code(admission)).isEqualTo(Code.UNAVAILABLE);
        assertThat(admission.budget().remaining()).isEqualTo(UseCaseFixture.PER_SECOND - 1);
    }

    private Optional<Refusal> countRefused(Caller caller) {
        return fixture.admit.countRefused(caller).toCompletableFuture().join();
    }

    @Test
    void guessing_keys_is_throttled_by_address() {
        for (int i = 0; i < UseCaseFixture.PER_SECOND; i++) {
            assertThat(code(admit("svc_live_" + i, "10.0.0.1", null))).isEqualTo(Code.UNAUTHORIZED);
        }

        assertThat(code(admit("svc_live_x", "10.0.0.1", null))).isEqualTo(Code.RATE_LIMITED);
        assertThat(code(admit("svc_live_x", "10.0.0.2", null))).isEqualTo(Code.UNAUTHORIZED);
    }

    private static DailyCount dailyCount(@Nullable Scope scope) {
        return scope == Scope.VALIDATE || scope == Scope.PROPOSE ? DailyCount.WITH_ITS_DECISION : DailyCount.AT_ONCE;
    }

    private Admission admit(@Nullable String bearer, String address, @Nullable Scope scope) {
        return fixture.admit
                .admit(bearer, address, scope, dailyCount(scope))
                .toCompletableFuture()
                .join();
    }

    private Optional<Admission> fromMemory(@Nullable String bearer, @Nullable Scope scope) {
        return fixture.admit
                .admitFromMemory(bearer, "x", scope, dailyCount(scope))
                .map(counted -> counted.toCompletableFuture().join());
    }

    private static Caller let(Admission admission) {
        return admission.caller().fold(caller -> caller, refused -> {
            throw new AssertionError("Refused: " + refused);
        });
    }

    private static Code code(Admission admission) {
        return refusal(admission).code();
    }

    private static Refusal refusal(Admission admission) {
        return admission
                .caller()
                .fold(
                        caller -> {
                            throw new AssertionError("Let in: " + caller);
                        },
                        refused -> refused);
    }
}
